{% for snapshot in ['orders_by_time', 'orders_by_value'] %}
select id, customer, status, amount, updated_at from {{ ref('orders') }}
except
select id, customer, status, amount, updated_at from {{ ref(snapshot) }} where dbt_valid_to is null
{{ 'union all' if not loop.last }}
{% endfor %}
