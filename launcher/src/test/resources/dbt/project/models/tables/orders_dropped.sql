{{ config(on_table_exists='drop') }}
select * from {{ ref('orders') }}
