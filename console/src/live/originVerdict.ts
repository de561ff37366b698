// SPDX-License-Identifier: Apache-2.0
import type { AnalysisResponse } from '../../../src/http/contract/liveContract.ts';

export type OriginVerdict = 'playable' | 'limited' | 'unplayable';
type Analysed = Pick<AnalysisResponse['sourceManifestUrl'], 'isPlayable' | 'problems' | 'warnings'>;

/** `limited`: a channel can play the origin that was analysed, but something is left out or needs attention. */
export function originVerdict({ isPlayable, problems, warnings }: Analysed): OriginVerdict {
  if (!isPlayable) return 'unplayable';
  return problems.length + warnings.length > 0 ? 'limited' : 'playable';
}
