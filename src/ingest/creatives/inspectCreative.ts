// SPDX-License-Identifier: Apache-2.0
// The state of a creative for someone who inspects it: it is neither requested nor marked as used.
import type { CreativeState } from '../../ads/creative/creative.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { mediaId } from '../condition/plan/mediaId.ts';
import type { MediaStore } from '../package/mediaStore.ts';
import type { CreativeJobs } from './creativeJobs.ts';

export type InspectorDeps = {
  readonly mediaStore: Pick<MediaStore, 'find' | 'load'>;
  readonly jobs: Pick<CreativeJobs, 'states'>;
};

/** @returns with `key` as in `CreativeLibrary` */
export function createCreativeInspector({ mediaStore, jobs }: InspectorDeps) {
  return async (key: string, ladder: Ladder): Promise<CreativeState> => {
    const id = mediaId('creative', key, ladder);
    await mediaStore.load([id]);
    const media = mediaStore.find(id)?.media;
    if (media !== undefined) return { state: 'ready', media };
    const [job] = await jobs.states([id]);
    if (job === undefined) return { state: 'preparing', stage: 'absent' };
    if (job.state === 'preparing') return { state: 'preparing', stage: 'making' };
    // Media that are ready according to the queue and missing are made again.
    if (job.state === 'ready' || job.reason === undefined) return { state: 'preparing', stage: 'waiting' };
    return { state: 'failed', fault: job.fault ?? 'NOT_MADE', reason: job.reason };
  };
}
