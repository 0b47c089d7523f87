{% for table in ['orders_renamed', 'orders_dropped', 'orders_replaced'] %}
(select * from {{ ref(table) }} except select * from {{ ref('orders') }})
union all
(select * from {{ ref('orders') }} except select * from {{ ref(table) }})
{{ 'union all' if not loop.last }}
{% endfor %}
