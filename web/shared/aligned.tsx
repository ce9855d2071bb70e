// SPDX-License-Identifier: MIT
//
// Two texts part by part: what belongs together lies side by side. Each part is rendered
// alone, since its bounds are those of blocks.
import { Text } from './text.tsx';

// `begins`: where each part begins, in UTF-16 units.
export function cutParts(text: string, begins: number[]): string[] {
  return begins.map((begin, i) => text.slice(begin, begins[i + 1] ?? text.length));
}

export function Aligned(props: { left: string[]; right: string[] }) {
  return (
    <>
      {props.left.map((part, i) => (
        <div class="aligned" key={i}>
          <span class="part-number">part {i + 1}</span>
          <div class="answer"><Text text={part} raw={false} /></div>
          <div class="answer"><Text text={props.right[i] ?? ''} raw={false} /></div>
        </div>
      ))}
    </>
  );
}
