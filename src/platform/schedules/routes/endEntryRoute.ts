// SPDX-License-Identifier: Apache-2.0
// Ends the live entry of a schedule that is on air.
import type { LinearChannel } from '../../../channels/channel.ts';
import { AppError } from '../../../errors.ts';
import type { AdminRequest, KeyedRoute, RouteResponse } from '../../../http/admin/request/route.ts';
import { endedAt } from '../../../planning/schedule/endEntry.ts';
import type { ScheduleDesk, ScheduleEdit } from '../../../planning/schedule/scheduleDesk.ts';
import { liveLength } from '../../../scheduling/liveEntries.ts';
import type { StoredSchedule } from '../../../scheduling/ports.ts';
import { isLiveSource } from '../../../scheduling/schedule.ts';
import { flicksToMillis, millis } from '../../../time/units.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';
import { scheduleResponse } from '../contract/scheduleContract.ts';

type EndDeps = { readonly desk: Pick<ScheduleDesk<AuditEntry>, 'byId'>; readonly now: () => number };
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
    'What is published stays, so viewers see the end some seconds later. The entries after it follow as its `overrun` states. An entry of a rule ends at its planned end.',
  response: { status: 200, description: 'The schedule.', schema: scheduleResponse },
  errors: [404, 409],
  example: { params: { id: 'channel-one', entryId: 'match' } },
  handle: (request) =>
    edit(request, async (stored, channel) => {
      const { entryId = '' } = request.params;
      const [placed] = await desk.byId(channel, [entryId]);
      if (stored === undefined || placed === undefined)
        throw new AppError(
          'NOT_FOUND',
          `Channel "${channel.id}" has no entry "${entryId.slice(0, 128)}" in its schedule.`,
        );
      const { entry, at } = placed;
      if (!isLiveSource(entry.source))
        throw new AppError('CONFLICT', `Entry "${entryId}" must have a live source to be ended. Change its duration.`);
      const { live } = entry.source;
      const time = millis(now());
      if (live.endedAt !== undefined || time < at || time >= at + flicksToMillis(liveLength(live, at, time)))
        throw new AppError(
          'CONFLICT',
          `Entry "${entryId}" must be on air to be ended. Remove it, or change its source.`,
        );
      return endedAt(stored, entry, entry.source, time);
    }),
});
