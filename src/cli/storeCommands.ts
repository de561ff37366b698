// SPDX-License-Identifier: Apache-2.0
// The commands for API keys and tenants. Only results are written to standard output, so that they can be piped; notes go to
// standard error.
import { labelFaults, MAX_LABEL } from '../channels/labels.ts';
import { withoutUndefined } from '../invariant.ts';
import { type ApiKey, issueKey } from '../platform/access/rules/apiKey.ts';
import { expiryFaults } from '../platform/access/rules/grant.ts';
import type { TenantStore } from '../platform/access/rules/ports.ts';
import { isScope, MAX_KEY_CHANNELS, scopes } from '../platform/access/rules/scope.ts';
import { EMAIL, KEY_NAME, LONGEST_EMAIL, TENANT_NAME } from '../platform/access/rules/tenant.ts';
import { ownSystem } from '../platform/systems/rules/system.ts';
import { millis } from '../time/units.ts';
import { CommandError, columns, type Option, type StoreCommand } from './command.ts';

const CHANNEL_ID = /^[A-Za-z0-9][A-Za-z0-9._~@:-]{0,127}$/;

const tenantOption: Option = { name: 'tenant', description: 'Name of the tenant', isRequired: true };
const emailOption: Option = { name: 'email', description: 'E-mail address of the owner', isRequired: true };

async function existing(tenants: TenantStore, name: string): Promise<string> {
  if (await tenants.find(name)) return name;
  const names = (await tenants.list()).map((tenant) => tenant.name);
  // An empty database was probably created by this command, in another directory than that of the servers.
  if (names.length === 0)
    throw new CommandError(
      `Tenant "${name}" not found: the database has no tenants. Set DATA_DIR or DATABASE_URL as for your servers.`,
    );
  const known = names.length > 10 ? `${names.length} others exist` : `existing tenants: ${names.join(', ')}`;
  throw new CommandError(
    `Tenant "${name}" not found; ${known}. To create it, run midroll tenants create ${name} --email …`,
  );
}

function checkedEmail(email: string): string {
  if (EMAIL.test(email) && email.length <= LONGEST_EMAIL) return email;
  throw new CommandError(`--email must be an e-mail address; got ${JSON.stringify(email.slice(0, 100))}.`);
}

function checkedName(name: string): string {
  if (KEY_NAME.test(name)) return name;
  throw new CommandError(
    `--name must be at most 200 characters without control characters; got ${JSON.stringify(name.slice(0, 100))}.`,
  );
}

function rightsOf({ scope, channels, labels, expires }: Readonly<Record<string, string>>, now: string) {
  if (scope !== undefined && !isScope(scope))
    throw new CommandError(`--scope must be one of ${scopes.join(', ')}; got ${JSON.stringify(scope.slice(0, 100))}.`);
  const ids = channels?.split(',').map((id) => id.trim());
  if (ids !== undefined && (ids.length > MAX_KEY_CHANNELS || !ids.every((id) => CHANNEL_ID.test(id))))
    throw new CommandError(
      `--channels must be 1 to ${MAX_KEY_CHANNELS} ids of channels, separated by commas; got ${JSON.stringify(channels?.slice(0, 100))}.`,
    );
  const named = labels?.split(',').map((label) => label.trim());
  const [labelFault] = labelFaults(named, '');
  if (labelFault !== undefined || named?.some((label) => label === '' || label.length > MAX_LABEL))
    throw new CommandError(
      `--labels must be labels of at most ${MAX_LABEL} characters, separated by commas; got ${JSON.stringify(labels?.slice(0, 100))}.`,
    );
  const [fault] = expires === undefined ? [] : expiryFaults(expires, millis(Date.parse(now)));
  if (fault !== undefined) throw new CommandError(`--expires ${fault.message}.`);
  const expiresAt = expires === undefined ? undefined : new Date(expires).toISOString();
  return withoutUndefined({ scope, channels: ids && [...new Set(ids)], labels: named, expiresAt });
}

const changeOf = ({ id, name }: ApiKey) => ({ kind: 'key', id, name });

const labelled = (label: string) => `label=${label}`;

const shownOnce = 'The key below is shown only once; Midroll stores its hash.';

export const storeCommands: readonly StoreCommand[] = [
  {
    name: 'keys create',
    summary: 'Create a key for a tenant and print it',
    options: [
      ...[tenantOption, emailOption],
      { name: 'name', description: 'What the key is used for' },
      { name: 'scope', description: 'read, operate or manage (default): what the key may do' },
      { name: 'channels', description: 'IDs of the only channels that it can access, separated by commas' },
      { name: 'labels', description: 'Labels of channels that it can access, separated by commas' },
      { name: 'expires', description: 'When it expires, such as 2027-01-01; default: never' },
    ],
    example: 'midroll keys create --tenant acme --email ann@example.com --name CI --scope read --expires 2027-01-01',
    run: async ({ tenants, keys, now, entry, options }) => {
      const { tenant = '', email = '', name } = options;
      const owner = {
        tenant: await existing(tenants, tenant),
        email: checkedEmail(email),
        ...(name ? { name: checkedName(name) } : {}),
        ...rightsOf(options, now),
      };
      const { key, secret, hash } = issueKey(owner, owner.email, now);
      await keys.insert(key, hash, entry(owner.tenant, { ...changeOf(key), after: key }));
      return { result: secret, note: `Created key ${key.id} of ${email} in tenant ${tenant}. ${shownOnce}` };
    },
  },
  {
    name: 'keys list',
    summary: "List a tenant's keys, newest first",
    options: [tenantOption],
    example: 'midroll keys list --tenant acme',
    run: async ({ tenants, keys, options: { tenant = '' } }) => {
      const list = await keys.list(await existing(tenants, tenant));
      const rows = list.map((key) => [
        key.id,
        `${key.hint}…`,
        key.email,
        key.name ?? '-',
        key.scope,
        key.channels || key.labels ? [...(key.channels ?? []), ...(key.labels ?? []).map(labelled)].join(',') : 'all',
        key.createdAt,
        key.lastUsedAt ?? 'never',
        key.expiresAt ?? 'never',
      ]);
      return {
        result: columns([
          ['ID', 'KEY', 'OWNER', 'NAME', 'SCOPE', 'CHANNELS', 'CREATED', 'LAST USED', 'EXPIRES'],
          ...rows,
        ]),
      };
    },
  },
  {
    name: 'keys revoke',
    summary: 'Revoke a key immediately',
    operand: 'ID',
    options: [tenantOption],
    example: 'midroll keys revoke 0b7e2c1a-5d1f-4c86-9a3e-2f1f5f0a9c11 --tenant acme',
    run: async ({ tenants, keys, operand, entry, options }) => {
      const tenant = await existing(tenants, options.tenant ?? '');
      const key = await keys.find(tenant, operand);
      if (key && (await keys.remove(tenant, key.id, entry(tenant, { ...changeOf(key), before: key }))))
        return { note: `Revoked key ${operand}.` };
      throw new CommandError(`Key "${operand}" of tenant "${tenant}" not found.`);
    },
  },
  {
    name: 'tenants create',
    summary: 'Create a tenant with its system and its first key, and print the key',
    operand: 'NAME',
    options: [emailOption],
    example: 'midroll tenants create acme --email ann@example.com',
    run: async ({ tenants, operand, now, entry, options }) => {
      if (!TENANT_NAME.test(operand))
        throw new CommandError(
          `NAME must be 1 to 63 letters, digits, dots, dashes or underscores, starting with a letter or digit; got ${JSON.stringify(operand.slice(0, 100))}.`,
        );
      const email = checkedEmail(options.email ?? '');
      const { key, secret, hash } = issueKey({ tenant: operand, email, name: 'first' }, email, now);
      const tenant = { name: operand, createdAt: now, createdBy: email };
      const change = entry(operand, { kind: 'tenant', id: operand, after: { name: operand, key } });
      if (!(await tenants.create(tenant, ownSystem(operand, email, now), { key, hash }, change)))
        throw new CommandError(`Tenant "${operand}" already exists.`);
      return { result: secret, note: `Created tenant ${operand} with key ${key.id}. ${shownOnce}` };
    },
  },
  {
    name: 'tenants list',
    summary: 'List all tenants',
    options: [],
    example: 'midroll tenants list',
    run: async ({ tenants }) => {
      const rows = (await tenants.list()).map(({ name, createdAt, createdBy }) => [name, createdAt, createdBy]);
      return { result: columns([['NAME', 'CREATED', 'CREATED BY'], ...rows]) };
    },
  },
  {
    name: 'tenants delete',
    summary: 'Delete a tenant with its keys, systems, playlists and channels',
    operand: 'NAME',
    options: [],
    requiresYes: true,
    example: 'midroll tenants delete acme --yes',
    run: async ({ tenants, operand, entry, isConfirmed }) => {
      await existing(tenants, operand);
      if (!isConfirmed)
        throw new CommandError(`This deletes tenant ${operand} and all its data. Add --yes to confirm.`);
      await tenants.remove(operand, entry(operand, { kind: 'tenant', id: operand, before: { name: operand } }));
      return { note: `Deleted tenant ${operand}.` };
    },
  },
];
