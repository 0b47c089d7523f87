select customer, sum(amount) as amount
from {{ ref('open_orders') }}
group by customer
