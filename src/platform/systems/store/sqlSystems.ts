// SPDX-License-Identifier: Apache-2.0
// Stores systems as JSON records whose settings are encrypted.

import type { SecretBox } from '../../../adapters/sql/secrets/secretBox.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import { type Records, sqlRecords } from '../../../adapters/sql/sqlRecords.ts';
import type { SystemStore } from '../rules/ports.ts';
import type { System } from '../rules/system.ts';

type Owned = { readonly tenant: string; readonly id: string };

/** A kind of records of which one field, if there is one, is encrypted before it leaves this process. */
export function sealedKind<Row extends Owned>(
  box: SecretBox,
  table: 'systems' | 'webhooks' | 'ad_sources',
  field: keyof Row & string,
) {
  const ownerOf = ({ tenant, id }: Owned) => `${table}/${tenant}/${id}`;
  return {
    table,
    write(record: Row): string {
      const { [field]: secret, version: _, ...rest } = record as Row & { version?: number };
      const sealed = secret === undefined ? undefined : box.seal(JSON.stringify(secret), ownerOf(record));
      return JSON.stringify({ ...rest, sealed });
    },
    /** @throws if the key differs, or the text was changed */
    read(body: string): Row {
      const { sealed, ...rest } = JSON.parse(body) as Owned & { readonly sealed?: string };
      if (sealed === undefined) return rest as Row;
      return { ...rest, [field]: JSON.parse(box.open(sealed, ownerOf(rest))) } as Row;
    },
  };
}

/** A tenant has few, so there are no pages. */
export const listAll =
  <Row extends Owned>(records: Records<Row>) =>
  async (tenant: string) =>
    (await records.list(tenant, { offset: 0, limit: 10_000 })).items;

const systemKind = (box: SecretBox) => sealedKind<System>(box, 'systems', 'settings');

/** Decrypts a stored system. @throws if the key differs, or the text was changed */
export const openSystem = (box: SecretBox, body: string): System => systemKind(box).read(body);

export function sqlSystems(store: Sql, box: SecretBox): SystemStore & Pick<Records<System>, 'insertion'> {
  const records = sqlRecords(store, systemKind(box));
  return { ...records, list: listAll(records) };
}
