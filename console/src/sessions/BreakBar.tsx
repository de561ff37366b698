// SPDX-License-Identifier: Apache-2.0
import type { TracedBreak } from '../../../src/http/contract/airContract.ts';
import { breakShares } from './breakSummary.ts';

/** Per cent of the bar; narrower parts have no text. */
const MIN_TEXT_WIDTH = 8;

/** The parts of a break to scale. Screen readers have the list below it. */
export const BreakBar = ({ one }: { readonly one: TracedBreak }) => (
  <div class="break-bar" aria-hidden="true">
    {breakShares(one).map(({ kind, percent, name }, index) => (
      <span key={`${kind}${index}`} class={kind} style={{ width: `${percent}%` }} title={name}>
        {percent > MIN_TEXT_WIDTH ? name : ''}
      </span>
    ))}
  </div>
);
