{{ config(incremental_strategy='append', views_enabled=true) }}
select * from {{ ref('orders') }}
{% if is_incremental() %}
where updated_at > (select max(updated_at) from {{ this }})
{% endif %}
