// SPDX-License-Identifier: MIT
//
// Two texts part by part: what belongs together lies side by side. Each part is rendered
// alone, since its bounds are those of blocks.
import { Text } from './text.tsx';

// `begins`: where each part begins, in UTF-16 units.
export function cutParts(text: string, begins: number[]): string[] {
  return begins.map((begin, i) => text.slice(begin, begins[i + 1] ?? text.length));
}

// `names` are seen where the two stand one above the other, and read aloud everywhere.
export function Aligned(props: { left: string[]; right: string[]; names: [string, string] }) {
  const [left, right] = props.names;
  return (
    <>
      {props.left.map((part, i) => (
        <div class="aligned" key={i}>
          <span class="part-number">part {i + 1}</span>
          <div class="answer">
            <p class="aligned-name">{left}</p>
            <Text text={part} raw={false} />
          </div>
          <div class="answer">
            <p class="aligned-name">{right}</p>
            <Text text={props.right[i] ?? ''} raw={false} />
          </div>
        </div>
      ))}
    </>
  );
}
