// SPDX-License-Identifier: Apache-2.0
import type { Clip } from '../timeline/asset/clip.ts';
import { type Signalling, signalledIn } from '../timeline/ladder/formatFault.ts';

export const signallingOf = (clips: readonly Clip[]): Signalling =>
  signalledIn(clips.flatMap(({ cells }) => cells.flatMap(({ track }) => track.protection ?? [])));
