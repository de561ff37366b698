// SPDX-License-Identifier: Apache-2.0
import type { VodPlayback } from '../../src/http/live/playerRequest.ts';

/** For servers without VoD channels, which never use it. */
export const noVod = {} as VodPlayback;
