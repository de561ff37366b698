// What the command line can do. A result goes to standard output and nothing else does, so that it can be piped.
import { issueKey } from '../tenants/apiKey.ts';
import type { ApiKeyStore, TenantStore } from '../tenants/ports.ts';
import { ownSystem } from '../tenants/system.ts';
import { EMAIL, KEY_NAME, LONGEST_EMAIL, TENANT_NAME } from '../tenants/tenant.ts';
import { columns } from './columns.ts';

export type CommandInput = {
  readonly tenants: TenantStore;
  readonly keys: ApiKeyStore;
  /** ISO 8601. */
  readonly now: string;
  readonly options: Readonly<Record<string, string>>;
  readonly operand: string;
  readonly isSure: boolean;
};

export type Option = { readonly name: string; readonly meaning: string; readonly isRequired?: true };

export type Command = {
  readonly name: string;
  readonly summary: string;
  /** What stands alone among the options. */
  readonly operand?: string;
  readonly options: readonly Option[];
  /** Says --yes before anything is destroyed. */
  readonly wantsYes?: true;
  readonly example: string;
  run(input: CommandInput): Promise<{ readonly result?: string; readonly note?: string }>;
};

/** Something that the caller can set right. */
export class CommandFailure extends Error {}

const tenantOption: Option = { name: 'tenant', meaning: 'name of the tenant', isRequired: true };
const emailOption: Option = { name: 'email', meaning: "the owner's e-mail address", isRequired: true };

async function existing(tenants: TenantStore, name: string): Promise<string> {
  if (await tenants.find(name)) return name;
  const names = (await tenants.list()).map((tenant) => tenant.name);
  // A store that was made this very moment: somebody stands in another folder than the servers.
  if (names.length === 0)
    throw new CommandFailure(
      `There is no tenant "${name}", nor any other, in this store. Is DATA_DIR or DATABASE_URL that of your servers?`,
    );
  const known = names.length > 10 ? `there are ${names.length} others` : `there is ${names.join(', ')}`;
  throw new CommandFailure(
    `There is no tenant "${name}"; ${known}. Create it: midroll tenants create ${name} --email …`,
  );
}

function checkedEmail(email: string): string {
  if (EMAIL.test(email) && email.length <= LONGEST_EMAIL) return email;
  throw new CommandFailure(`--email must be an e-mail address; it is ${JSON.stringify(email.slice(0, 100))}.`);
}

function checkedName(name: string): string {
  if (KEY_NAME.test(name)) return name;
  throw new CommandFailure('--name must have at most 200 characters, and no control characters.');
}

const onlyOnce = 'The key below is shown this once; only its hash is kept.';

export const commands: readonly Command[] = [
  {
    name: 'keys create',
    summary: 'Make a key for a tenant and show it, this once',
    options: [tenantOption, emailOption, { name: 'name', meaning: 'what the key is for' }],
    example: 'midroll keys create --tenant acme --email ann@example.com --name CI',
    run: async ({ tenants, keys, now, options: { tenant, email, name } }) => {
      const owner = {
        tenant: await existing(tenants, tenant!),
        email: checkedEmail(email!),
        ...(name ? { name: checkedName(name) } : {}),
      };
      const { key, secret, hash } = issueKey(owner, owner.email, now);
      await keys.insert(key, hash);
      return { result: secret, note: `Key ${key.id} of ${email} in tenant ${tenant}. ${onlyOnce}` };
    },
  },
  {
    name: 'keys list',
    summary: "List a tenant's keys, newest first",
    options: [tenantOption],
    example: 'midroll keys list --tenant acme',
    run: async ({ tenants, keys, options: { tenant } }) => {
      const list = await keys.list(await existing(tenants, tenant!));
      const rows = list.map((key) => [
        key.id,
        `${key.hint}…`,
        key.email,
        key.name ?? '-',
        key.createdAt,
        key.lastUsedAt ?? 'never',
        key.expiresAt ?? 'never',
      ]);
      return { result: columns([['ID', 'KEY', 'OWNER', 'NAME', 'CREATED', 'LAST USED', 'ENDS'], ...rows]) };
    },
  },
  {
    name: 'keys revoke',
    summary: 'End a key at once',
    operand: 'ID',
    options: [tenantOption],
    example: 'midroll keys revoke 0b7e2c1a-5d1f-4c86-9a3e-2f1f5f0a9c11 --tenant acme',
    run: async ({ tenants, keys, operand, options: { tenant } }) => {
      if (await keys.remove(await existing(tenants, tenant!), operand)) return { note: `Key ${operand} is revoked.` };
      throw new CommandFailure(`Tenant ${tenant} has no key with the id "${operand}".`);
    },
  },
  {
    name: 'tenants create',
    summary: 'Make a tenant with its system and its first key, and show the key, this once',
    operand: 'NAME',
    options: [emailOption],
    example: 'midroll tenants create acme --email ann@example.com',
    run: async ({ tenants, operand, now, options }) => {
      if (!TENANT_NAME.test(operand))
        throw new CommandFailure('A name is 1 to 63 letters, digits, dots, dashes and underscores.');
      const email = checkedEmail(options.email!);
      const { key, secret, hash } = issueKey({ tenant: operand, email, name: 'first' }, email, now);
      const tenant = { name: operand, createdAt: now, createdBy: email };
      if (!(await tenants.create(tenant, ownSystem(operand, email, now), { key, hash })))
        throw new CommandFailure(`There is a tenant "${operand}" already.`);
      return { result: secret, note: `Tenant ${operand} with key ${key.id}. ${onlyOnce}` };
    },
  },
  {
    name: 'tenants list',
    summary: 'List the tenants',
    options: [],
    example: 'midroll tenants list',
    run: async ({ tenants }) => {
      const rows = (await tenants.list()).map(({ name, createdAt, createdBy }) => [name, createdAt, createdBy]);
      return { result: columns([['NAME', 'CREATED', 'BY'], ...rows]) };
    },
  },
  {
    name: 'tenants delete',
    summary: 'Delete a tenant with its keys, systems, playlists and channels',
    operand: 'NAME',
    options: [],
    wantsYes: true,
    example: 'midroll tenants delete acme --yes',
    run: async ({ tenants, operand, isSure }) => {
      await existing(tenants, operand);
      if (!isSure) throw new CommandFailure(`This deletes all that ${operand} has. Say --yes to do it.`);
      await tenants.remove(operand);
      return { note: `Tenant ${operand} is deleted.` };
    },
  },
];
