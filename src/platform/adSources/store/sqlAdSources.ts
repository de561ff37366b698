// SPDX-License-Identifier: Apache-2.0
// Stores ad sources as JSON records whose client certificates are encrypted.
import { listColumns, sqlLists } from '../../../adapters/sql/channels/sqlLists.ts';
import type { SecretBox } from '../../../adapters/sql/secrets/secretBox.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import { sqlRecords } from '../../../adapters/sql/sqlRecords.ts';
import { channelKey } from '../../../channels/channelKey.ts';
import type { AdSourceRecord, ClientCertificate } from '../../../channels/demand.ts';
import { sealedKind } from '../../systems/store/sqlSystems.ts';
import { type AdSourceStore, MAX_AD_SOURCES, type StampedSource } from '../rules/ports.ts';

/** Records of one statement: databases limit its parameters. */
const CHUNK = 200;

/** What queries filter ad sources by. */
export const adSourceColumns = (source: AdSourceRecord) =>
  listColumns(source, { kind: source.type, status: '' }, source.labels);

const sourceKind = (box: SecretBox) =>
  sealedKind<AdSourceRecord & { readonly clientCertificate?: ClientCertificate }>(
    box,
    'ad_sources',
    'clientCertificate',
  );

/** Decrypts a stored ad source. @throws if the key differs, or the text was changed */
export const openAdSource = (box: SecretBox, body: string): AdSourceRecord => sourceKind(box).read(body);

export function sqlAdSources(store: Sql, box: SecretBox): AdSourceStore {
  const { db } = store;
  const records = sqlRecords<AdSourceRecord>(store, {
    ...sourceKind(box),
    columns: adSourceColumns,
    most: MAX_AD_SOURCES,
  });
  /** One that cannot be decrypted must not keep the others from being read. */
  function open(body: string): AdSourceRecord | undefined {
    try {
      return openAdSource(box, body);
    } catch {
      return undefined;
    }
  }
  const stampOf = ({ seq, version }: { readonly seq: number; readonly version: number }): string => `${seq}.${version}`;

  return {
    ...records,
    ...sqlLists(store, 'ad_sources', records.decode),
    async findAll(tenant, ids) {
      const found = await Promise.all(ids.map((id) => records.find(tenant, id)));
      return new Map(found.flatMap((source) => (source === undefined ? [] : [[source.id, source] as const])));
    },
    async stamps(tenants) {
      const stamps = new Map<string, string>();
      for (let at = 0; at < tenants.length; at += CHUNK) {
        const rows = await db
          .selectFrom('ad_sources')
          .select(['tenant', 'id', 'seq', 'version'])
          .where('tenant', 'in', tenants.slice(at, at + CHUNK))
          .execute();
        for (const row of rows) stamps.set(channelKey(row), stampOf(row));
      }
      return stamps;
    },
    async read(refs) {
      const found = new Map<string, StampedSource>(
        refs.map((ref) => [channelKey(ref), { stamp: undefined, source: undefined }]),
      );
      for (let at = 0; at < refs.length; at += CHUNK) {
        const rows = await db
          .selectFrom('ad_sources')
          .select(['tenant', 'id', 'seq', 'version', 'body'])
          .where((row) => row.or(refs.slice(at, at + CHUNK).map(({ tenant, id }) => row.and({ tenant, id }))))
          .execute();
        for (const row of rows) found.set(channelKey(row), { stamp: stampOf(row), source: open(row.body) });
      }
      return found;
    },
    async certified() {
      // Only those with a certificate have encrypted text.
      const sealed = db.selectFrom('ad_sources').select('body').where('body', 'like', '%"sealed":"%');
      const rows = await sealed.orderBy('seq').execute();
      return rows.flatMap(({ body }) => {
        const source = open(body);
        if (source === undefined || source.type === 'house') return [];
        const { tenant, url, clientCertificate } = source;
        return clientCertificate === undefined ? [] : [{ tenant, url, clientCertificate }];
      });
    },
    async stampOfAll() {
      // A restored record has its place and its version again, so the newest place alone is not enough.
      const { count, sum } = db.fn;
      const row = await db
        .selectFrom('ad_sources')
        .select([count('seq').as('count'), sum('seq').as('places'), sum('version').as('changes')])
        .executeTakeFirst();
      return JSON.stringify(row);
    },
  };
}
