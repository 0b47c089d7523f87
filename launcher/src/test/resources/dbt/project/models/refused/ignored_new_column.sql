{{ config(materialized='incremental', incremental_strategy='append', views_enabled=false) }}
select id {{ ', customer' if var('changed', false) }} from {{ ref('orders') }}
