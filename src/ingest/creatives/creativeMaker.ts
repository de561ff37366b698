// SPDX-License-Identifier: Apache-2.0
// Makes the media of one job and publishes them to the media store. Every error becomes a failure with a reason. Leases and
// other workers are left to creativeWorker.ts.
import { availableParallelism } from 'node:os';
import {
  type ConditionLimits,
  type ConditionOrder,
  type ConditionTools,
  conditionMedia,
} from '../condition/conditionMedia.ts';
import { type Failure, isFailure, permanent, thrownFault, transient } from '../condition/fetch/conditionFailure.ts';
import { defectText, isDefect } from '../defect.ts';
import type { MediaStore } from '../package/mediaStore.ts';
import type { PackagedMedia } from '../package/packagedMedia.ts';
import type { Ffmpeg, Origin } from '../ports.ts';
import { createTaskQueue } from '../taskQueue.ts';

type MakerLog = { info(fields: object, message: string): void; warn(fields: object, message: string): void };

export type CreativeMakerOptions = {
  readonly mediaStore: MediaStore;
  readonly origin: Origin;
  readonly ffmpeg: Ffmpeg;
  readonly log: MakerLog;
  readonly limits?: ConditionLimits;
  /** How creatives in HLS or DASH may be used as is. Default: not at all. */
  readonly asIs?: ConditionTools['asIs'];
  /** Concurrent encoders. Default: one for every two cores. */
  readonly concurrency?: number;
  /** Threads of each encoder. Default: 2. */
  readonly threads?: number;
};

export type Made = PackagedMedia | Failure;

const FAILED_WITH_ERROR = 'conditioning failed with an error';

export function createCreativeMaker(options: CreativeMakerOptions) {
  const { mediaStore, log } = options;
  const concurrency = Math.max(1, options.concurrency ?? Math.floor(availableParallelism() / 2));
  const encoders = createTaskQueue(concurrency);

  async function make(order: ConditionOrder, signal: AbortSignal): Promise<Made> {
    await mediaStore.load([order.id]); // another node may have made it
    const existing = mediaStore.find(order.id);
    if (existing !== undefined) return existing;
    const full = order.kind === 'slate' ? undefined : await mediaStore.full();
    if (full !== undefined) return transient('NO_ROOM', `there is no space for it: ${full}`);
    const draft = await mediaStore.open(order.id);
    try {
      const made = await conditionMedia(order, draft, toolsFor(options, signal), (job) =>
        encoders.run(job, order.kind === 'slate'),
      );
      if (isFailure(made)) return made;
      if (mediaStore.find(made.media.id) === undefined) await draft.publish(made);
      await mediaStore.name(order.id, made.media.id);
      return made;
    } finally {
      await draft.discard();
    }
  }

  return {
    /** @param signal cancels it; with the reason `late`, the result is a permanent failure */
    async make(order: ConditionOrder, signal: AbortSignal): Promise<Made> {
      try {
        const made = await make(order, signal);
        if (!isFailure(made)) return made;
        if (signal.reason === 'late') return permanent('TOO_SLOW', 'it took too long to make');
        return signal.aborted ? { ...made, isPermanent: false } : made;
      } catch (error) {
        log.warn({ err: error, id: order.id }, FAILED_WITH_ERROR);
        if (isDefect(error)) return transient('NOT_MADE', defectText('make it', FAILED_WITH_ERROR));
        const fault = thrownFault(error);
        const isFull = fault === 'NO_ROOM';
        return transient(fault, isFull ? 'the disk is full' : 'it could not be made or stored; see the log');
      }
    },
    concurrency,
    isBusy: () => encoders.waiting() >= concurrency,
  };
}

/** The tools of one job, which all stop when the job is cancelled. */
const toolsFor = (
  { origin, ffmpeg, threads = 2, mediaStore, limits, asIs }: CreativeMakerOptions,
  signal: AbortSignal,
): ConditionTools => ({
  origin: {
    read: (url, readOptions) => origin.read(url, { ...readOptions, signal }),
    save: (url, path, readOptions) => origin.save(url, path, { ...readOptions, signal }),
  },
  ffmpeg: { missing: ffmpeg.missing, run: (program, run) => ffmpeg.run(program, { ...run, signal }) },
  threads,
  mediaStore,
  limits,
  asIs,
});
