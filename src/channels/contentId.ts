// SPDX-License-Identifier: Apache-2.0
// What partners know a programme by: in bid requests, in counts of viewers, and in forecasts.

/**
 * The AdCOM `content.id`: of an entry of a channel's schedule, else of the channel. Ids of entries are unique in a schedule only, and
 * those of records contain no slash.
 */
export const contentId = (channelId: string, entryId?: string): string =>
  entryId === undefined ? channelId : `${channelId}/${entryId}`;
