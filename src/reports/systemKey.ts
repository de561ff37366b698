// How stores know a system: its id is unique within its tenant only, and another tenant may choose the same.
import type { System } from '../tenants/system.ts';

export const systemKey = ({ tenant, id }: Pick<System, 'tenant' | 'id'>): string => `${tenant}/${id}`;
