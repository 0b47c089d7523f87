{{ config(incremental_strategy='merge', unique_key=['id', 'customer'], merge_exclude_columns=['amount']) }}
select * from {{ ref('orders') }}
{% if is_incremental() %}
where updated_at > (select max(updated_at) from {{ this }})
{% endif %}
