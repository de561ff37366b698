// SPDX-License-Identifier: Apache-2.0
// What tests of breaks by hand look at: the first rung of a viewer.
import { replacedIntervals } from '../liveStage.ts';
import { edgeOf } from '../liveTruth.ts';
import type { Viewer } from '../viewer.ts';

/** Milliseconds. */
export const SEGMENT = 2000;

export const rungOf = ({ rungs }: Viewer): string => rungs[0]!;
export const ours = (viewer: Viewer) => replacedIntervals(viewer, rungOf(viewer));
export const edge = (viewer: Viewer) => edgeOf(viewer, rungOf(viewer));
export const passes = (viewer: Viewer, at: number) =>
  viewer.until(`the edge has passed ${at}`, () => edge(viewer) > at);
