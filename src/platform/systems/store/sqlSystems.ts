// SPDX-License-Identifier: Apache-2.0
// Stores systems as JSON records whose settings are encrypted.

import type { SecretBox } from '../../../adapters/sql/secrets/secretBox.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import { type Records, sqlRecords } from '../../../adapters/sql/sqlRecords.ts';
import type { SystemStore } from '../rules/ports.ts';

import type { System } from '../rules/system.ts';

type Sealed = Omit<System, 'settings'> & { readonly sealed: string };

// A tenant has few systems, so there are no pages.
const ALL = { offset: 0, limit: 10_000 };

const ownerOf = ({ tenant, id }: { tenant: string; id: string }) => `systems/${tenant}/${id}`;

/** Decrypts a stored system. @throws if the key differs, or the text was changed */
export function openSystem(box: SecretBox, body: string): System {
  const { sealed, ...rest } = JSON.parse(body) as Sealed;
  return { ...rest, settings: JSON.parse(box.open(sealed, ownerOf(rest))) };
}

/** Settings are encrypted before they leave this process. */
export function sqlSystems(store: Sql, box: SecretBox): SystemStore & Pick<Records<System>, 'insertion'> {
  const records = sqlRecords<System>(store, {
    table: 'systems',
    write: (system) => {
      const { settings, version: _, ...rest } = system as System & { version?: number };
      return JSON.stringify({ ...rest, sealed: box.seal(JSON.stringify(settings), ownerOf(system)) } satisfies Sealed);
    },
    read: (body) => openSystem(box, body),
  });
  return { ...records, list: async (tenant) => (await records.list(tenant, ALL)).items };
}
