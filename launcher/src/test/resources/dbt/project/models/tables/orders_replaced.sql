{{ config(on_table_exists='replace', post_hook="ALTER TABLE {{ this }} EXECUTE expire_snapshots(retention_threshold => '7d')") }}
select * from {{ ref('orders') }}
