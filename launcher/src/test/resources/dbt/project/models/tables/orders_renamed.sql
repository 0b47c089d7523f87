{{ config(persist_docs={'relation': true, 'columns': true}, properties={'layout': "'row'", 'row_group_rows': '2'}) }}
select * from {{ ref('orders') }}
