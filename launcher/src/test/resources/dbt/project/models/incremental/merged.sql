{{ config(
    incremental_strategy='merge',
    unique_key='id',
    on_table_exists='replace',
    incremental_predicates=["DBT_INTERNAL_DEST.updated_at >= timestamp '2026-01-01 00:00:00'"]
) }}
select * from {{ ref('orders') }}
{% if is_incremental() %}
where updated_at > (select max(updated_at) from {{ this }})
{% endif %}
