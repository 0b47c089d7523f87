{{ config(materialized='incremental', incremental_strategy='append', views_enabled=false, on_schema_change='append_new_columns') }}
select id {{ ', customer' if var('changed', false) }} from {{ ref('orders') }}
