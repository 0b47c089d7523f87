{{ config(grants={'select': ['ann']}) }}
select * from {{ ref('orders') }}
