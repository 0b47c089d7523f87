{{ config(on_table_exists='skip') }}
select * from {{ ref('orders') }}
