# Any CSV: which column is which, and which word is which verdict
cat >sheet.csv <<'CSV'
item,who,shown,choice,model a,model b
1,ann,12,A,x,y
1,ann,21,B,x,y
2,ann,12,same,x,y
2,ann,21,A,x,y
3,ann,12,n/a,x,y
CSV
"$EVENHAND" import csv sheet.csv -o a.db \
    --map 'pair_id=item,judge=who,order=shown,verdict=choice,model_1=model a,model_2=model b' \
    --verdicts 'A=1,B=2,same=tie' || echo "status $?"
"$EVENHAND" rulings a.db --format csv | cut -d, -f1-5
