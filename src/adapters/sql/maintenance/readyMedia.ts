// SPDX-License-Identifier: Apache-2.0
import type { Sql } from '../sql.ts';

export type ReadyMedium = { readonly id: string; readonly mediaId: string };

/** What the database calls ready: creatives and slate, with the media that they are in. Creatives that are used as they are have none. */
export async function readyMedia({ db }: Sql): Promise<ReadyMedium[]> {
  const rows = await db
    .selectFrom('creatives')
    .select(['id', 'media_id'])
    .where('state', '=', 'ready')
    .where('media_id', 'is not', null)
    .execute();
  return rows.flatMap(({ id, media_id: mediaId }) => (mediaId === null ? [] : [{ id, mediaId }]));
}
