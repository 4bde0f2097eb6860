import { eq } from 'drizzle-orm';
import type { Database } from './database.ts';
import { settings } from './schema.ts';

/** Facts about this installation, by name. The value is whatever JSON its one owner writes. */
export class SettingRows {
  constructor(private readonly db: Database) {}

  async get<T>(name: string): Promise<T | undefined> {
    const [row] = await this.db.select().from(settings).where(eq(settings.name, name));
    return row?.value as T | undefined;
  }

  async set(name: string, value: unknown): Promise<void> {
    await this.db
      .insert(settings)
      .values({ name, value })
      .onConflictDoUpdate({ target: settings.name, set: { value, updatedAt: new Date() } });
  }
}
