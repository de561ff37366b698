// SPDX-License-Identifier: Apache-2.0
// Ends the live entry of a schedule that is on air.
import type { LinearChannel } from '../../../channels/channel.ts';
import { AppError } from '../../../errors.ts';
import type { AdminRequest, KeyedRoute, RouteResponse } from '../../../http/admin/request/route.ts';
import { entryEnded, occurrenceEnded } from '../../../planning/schedule/endEntry.ts';
import type { ScheduleDesk, ScheduleEdit } from '../../../planning/schedule/scheduleDesk.ts';
import { liveLength } from '../../../scheduling/liveEntries.ts';
import type { StoredSchedule } from '../../../scheduling/ports.ts';
import { isLiveSource } from '../../../scheduling/schedule.ts';
import { flicksToMillis, type Millis, millis } from '../../../time/units.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';
import { scheduleResponse } from '../contract/scheduleContract.ts';

type EndDeps = { readonly desk: Pick<ScheduleDesk<AuditEntry>, 'byId' | 'project'>; readonly now: () => number };
type Edit = (
  request: AdminRequest,
  make: (stored: StoredSchedule | undefined, channel: LinearChannel) => Promise<ScheduleEdit>,
) => Promise<RouteResponse>;

export const endEntryRoute = ({ desk, now }: EndDeps, edit: Edit): KeyedRoute => ({
  tag: 'schedules',
  channelAccess: { param: 'id' },
  scope: 'operate',
  method: 'POST',
  path: '/api/v2/channels/:id/schedule/entries/:entryId/end',
  operationId: 'endScheduleEntry',
  summary: 'End the live entry that is on air',
  description:
    'What is published stays, so viewers see the end some seconds later. The entries after it follow as its `overrun` states. The ID of an entry of a rule names the occurrence to end; `ended` of the rule lists it.',
  response: { status: 200, description: 'The schedule.', schema: scheduleResponse },
  errors: [404, 409],
  example: { params: { id: 'channel-one', entryId: 'match' } },
  handle: (request) =>
    edit(request, async (stored, channel) => {
      const { entryId = '' } = request.params;
      const time = millis(now());
      const [own] = await desk.byId(channel, [entryId]);
      const placed = own ?? (await placedByRule(desk, channel, entryId, time));
      if (stored === undefined || placed === undefined)
        throw new AppError(
          'NOT_FOUND',
          `Channel "${channel.id}" has no entry "${entryId.slice(0, 128)}" in its schedule.`,
        );
      const { entry, at } = placed;
      if (!isLiveSource(entry.source))
        throw new AppError('CONFLICT', `Entry "${entryId}" must have a live source to be ended. Change its duration.`);
      const { live } = entry.source;
      if (live.endedAt !== undefined || time < at || time >= at + flicksToMillis(liveLength(live, at, time)))
        throw new AppError(
          'CONFLICT',
          `Entry "${entryId}" must be on air to be ended. Remove it, or change its source.`,
        );
      return own === undefined ? occurrenceEnded(stored, entryId, time) : entryEnded(stored, entry, entry.source, time);
    }),
});

/** Where an entry of a rule is depends on the whole schedule. */
async function placedByRule(desk: EndDeps['desk'], channel: LinearChannel, entryId: string, time: Millis) {
  const projection = await desk.project(channel, { from: time, to: millis(time + 1) });
  const found = projection?.entries.find(({ entry, isOfRule }) => isOfRule && entry.id === entryId);
  return found && { entry: found.entry, at: found.plannedAt };
}
