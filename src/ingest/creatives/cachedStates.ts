// SPDX-License-Identifier: Apache-2.0
// The states that a process caches without a job in the queue, and whether a cached state is that of the queue.
import type { CreativeState } from '../../ads/creative/creative.ts';
import type { JobStatus } from './creativeJobs.ts';

/** Creatives that this process waits for at the same time. An ad server may return new ones without end. */
export const MAX_AWAITED = 200;

const failed = (reason: string): CreativeState => ({ state: 'failed', fault: 'NOT_MADE', reason });
export const unknown = failed('it has not been requested');
export const busy = failed(`${MAX_AWAITED} other creatives are waiting to be made; it will be requested again`);
export const outage = failed('the store is unavailable, so it could not be added to the queue');
export const unread = failed('the object store of media is unavailable, so it is not known whether it exists');
export const deleted = failed('it was deleted while it was waiting to be made');
export const stopping = failed('the process is shutting down');

/** False for a creative that was deleted, retried or made since. @param queued undefined if there is no job */
export const isCurrent = ({ state }: CreativeState, queued: JobStatus | undefined): boolean =>
  state === 'ready' ? queued?.state === 'ready' : queued?.reason !== undefined && queued.state !== 'ready';
