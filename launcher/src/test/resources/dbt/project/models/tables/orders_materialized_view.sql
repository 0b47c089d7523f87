{{ config(materialized='materialized_view') }}
select * from {{ ref('orders') }}
