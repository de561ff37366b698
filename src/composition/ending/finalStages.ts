// SPDX-License-Identifier: Apache-2.0
// The steps in which a process ends, in the order of their stages: requests in progress first, then what parts store and release.
import type { FinalStage, Part } from '../part.ts';
import type { FinalStep } from './finish.ts';

const REQUESTS_MS = 11_000;
/** In order. */
const limits: Readonly<Record<FinalStage, number>> = { deciding: 4000, storing: 6000, closing: 1000, counting: 5000 };

/** Those of one array run at once, one array after the other. */
export const finalStages = (
  closePorts: () => Promise<unknown>,
  parts: readonly Pick<Part, 'finalSteps'>[],
): FinalStep[][] => [
  [{ name: 'requests in progress', limitMs: REQUESTS_MS, run: closePorts }],
  ...Object.entries(limits).map(([stage, limitMs]) =>
    parts.flatMap(({ finalSteps }) =>
      Object.entries(finalSteps?.[stage as FinalStage] ?? {}).map(([name, run]) => ({ name, limitMs, run })),
    ),
  ),
];
