{{ config(incremental_strategy='microbatch', event_time='updated_at', batch_size='day', begin='2026-01-01') }}
select * from {{ ref('orders') }}
