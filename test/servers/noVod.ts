// SPDX-License-Identifier: Apache-2.0
import type { VodPlayback } from '../../src/http/live/playerRequest.ts';

/** For servers without VoD channels. Guided sessions are kept as long as those of VoD channels. */
export const noVod = { sessionTtl: 86_400 } as VodPlayback;
