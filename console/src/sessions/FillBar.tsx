// SPDX-License-Identifier: Apache-2.0
import { formatPercent } from '../format/numbers.ts';

/** The share of the time of breaks that ads filled. @param fill 0 to 1; undefined without breaks */
export const FillBar = ({ fill }: { readonly fill: number | undefined }) =>
  fill === undefined ? (
    <span class="muted">No breaks</span>
  ) : (
    <div class="fill">
      <span class="fill-bar" aria-hidden="true">
        <span style={{ width: `${fill * 100}%` }} />
      </span>
      <span class="number">{formatPercent(fill)}</span>
    </div>
  );
