{{ config(materialized='incremental', incremental_strategy='append', views_enabled=false, on_schema_change='sync_all_columns') }}
select id {{ ', customer' if not var('changed', false) }} from {{ ref('orders') }}
