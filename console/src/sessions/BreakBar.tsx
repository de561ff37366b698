import type { TracedBreak } from '../../../src/http/airContract.ts';
import { sharesOf } from '../logic/story.ts';

/** What was in the break, to scale; the list below says the same. */
export const BreakBar = ({ one }: { readonly one: TracedBreak }) => (
  <div class="break-bar" aria-hidden="true">
    {sharesOf(one).map(({ kind, percent, name }, index) => (
      <span key={`${kind}${index}`} class={kind} style={{ width: `${percent}%` }} title={name}>
        {percent > 8 ? name : ''}
      </span>
    ))}
  </div>
);
