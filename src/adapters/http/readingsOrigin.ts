// SPDX-License-Identifier: Apache-2.0
// Requests the manifests of live origins. Hundreds of channels may have one host, and each is read every second or two: as few
// requests at once as for imports would delay the readings of all of them behind a network.
import type { Dispatcher } from 'undici';
import type { Origin } from '../../ingest/ports.ts';
import type { Timers } from '../../time/clock.ts';
import { createHttpOrigin } from './httpOrigin.ts';

/** 500 channels of three playlists each, read every two seconds, need 75 if a response takes a tenth of a second. */
export const READINGS_PER_HOST = 256;

/** @param guard the dispatcher of createEgressGuard */
export const createReadingsOrigin = (guard: Dispatcher, timers: Timers): Origin =>
  createHttpOrigin(guard, { timers, perHost: READINGS_PER_HOST });
