{{ config(incremental_strategy='merge', unique_key='id', merge_update_columns=['status']) }}
select * from {{ ref('orders') }}
{% if is_incremental() %}
where updated_at > (select max(updated_at) from {{ this }})
{% endif %}
