// The parts of the composition that make, keep and know creatives; a process that serves has them, and one that only makes.
import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import { createHttpOrigin } from '../adapters/http/httpOrigin.ts';
import { createFfmpeg } from '../adapters/media/ffmpeg.ts';
import { createMediaFiles } from '../adapters/media/mediaFiles.ts';
import { sqlCreatives } from '../adapters/sql/creatives/sqlCreatives.ts';
import type { Sql } from '../adapters/sql/sql.ts';
import type { Config } from '../config.ts';
import { createCreativeLibrary } from '../ingest/creatives/creativeLibrary.ts';
import { type CreativeWorkerOptions, createCreativeWorker } from '../ingest/creatives/creativeWorker.ts';
import type { Timers } from '../time/clock.ts';
import { type Millis, millis } from '../time/units.ts';
import { type Chore, repeatedly } from './repeatedly.ts';

export type CreativeWorld = {
  readonly config: Config;
  readonly sql: Sql;
  readonly guard: Dispatcher;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly log: CreativeWorkerOptions['log'];
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  /** Who wants to hear of what was made here and what was not, for reports. */
  readonly listeners?: Pick<CreativeWorkerOptions, 'onMade' | 'onFailed'>;
};

const TIDY_MS = 600_000;
/** Milliseconds for which what failed is remembered when nobody asks for it any more. */
const REMEMBERED = 7 * 24 * 3_600_000;
/** So many milliseconds after it was due, somebody should have begun to make it. */
const WAITED_FOR_LONG = 60_000;

/** @param makes whether this process makes what is wanted, or leaves that to others */
export function composeCreatives(world: CreativeWorld, makes: boolean) {
  const { config, sql, guard, now, timers, log, warn } = world;
  const jobs = sqlCreatives(sql);
  const ffmpeg = createFfmpeg({ ffmpegPath: config.FFMPEG, ffprobePath: config.FFPROBE });
  const files = createMediaFiles({
    dataDir: config.DATA_DIR,
    prebuilt: [join(config.DATA_DIR, 'prebuilt')],
    mostBytes: config.MEDIA_MAX_GB * 2 ** 30,
  });
  const worker = makes
    ? createCreativeWorker({
        ...world.listeners,
        jobs,
        mediaStore: files,
        origin: createHttpOrigin(guard, { timers }),
        ffmpeg,
        now,
        timers,
        log,
        limits: { maxBytes: config.CREATIVE_MAX_MB * 2 ** 20, maxSeconds: config.CREATIVE_MAX_SECONDS },
        concurrency: config.CONDITION_JOBS,
        ...(config.CREATIVES_AS_IS === 'on'
          ? { asIs: { httpsOnly: config.LIVE_URL?.startsWith('https:') ?? false } }
          : {}),
        onSettled: () => void library.look(),
      })
    : undefined;
  const library = createCreativeLibrary({ mediaStore: files, jobs, now, timers, warn, onAsked: () => worker?.wake() });

  /** What processes that died left behind, media that must make room, failures that nobody asks for. */
  const tidy = async (): Promise<void> => {
    await jobs.forget(await files.clear());
    await jobs.expire(millis(now() - REMEMBERED));
  };
  /** Where nobody has ROLE=worker, nothing is ever made: channels have no slate, and nobody would know why. */
  const complain = async (): Promise<void> => {
    const waiting = await jobs.neglected(millis(now() - WAITED_FOR_LONG), now());
    if (waiting > 0) warn('creatives wait and nobody makes them: is a process with ROLE=worker running?', { waiting });
  };
  const chores: Chore[] = [];
  return {
    jobs,
    files,
    ffmpeg,
    library,
    wake: () => worker?.wake(),
    async start(): Promise<void> {
      if (worker === undefined) {
        chores.push(repeatedly(timers, 'looking whether creatives are made', WAITED_FOR_LONG, complain, warn));
        return;
      }
      await tidy();
      chores.push(repeatedly(timers, 'tidying the mediaStore', TIDY_MS, tidy, warn));
      worker.start();
    },
    async stop(): Promise<void> {
      for (const chore of chores) chore.stop();
      library.close();
      await worker?.stop();
    },
  };
}
