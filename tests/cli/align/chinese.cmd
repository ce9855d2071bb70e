# Wide characters take two columns, and no line begins with a closing mark.
printf '%s\n' '跑步能增强心肺功能，使心脏更有力。它也帮助控制体重，因为消耗大量热量。' \
    '' '1. 选择有缓冲的鞋子，保护膝盖。' '2. 每周增加的距离不要超过10%。' >a.md
printf '%s\n' '很多人喜欢跑步（简单又便宜）。' '' '- 鞋子很重要：要有缓冲，保护膝盖。' \
    '- 循序渐进：每周增加的距离不要超过10%！' '' '此外，跑步能增强心肺功能，控制体重。' >b.md
"$EVENHAND" align a.md b.md
