{{ config(materialized='ephemeral') }}
select id, customer, amount, updated_at
from {{ ref('orders') }}
where status = 'open'
