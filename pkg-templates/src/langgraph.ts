/**
 * A LangGraph.js checkpointer that keeps its threads in a book.
 *
 *    const { hornbook } = await openHornbook({}, console.error, 'agents.book');
 *    const graph = builder.compile({ checkpointer: new BookSaver(hornbook) });
 *
 * When `put` resolves, the checkpoint is on disk as one revision of the book.
 */
import {
  BaseCheckpointSaver,
  TASKS,
  WRITES_IDX_MAP,
  compareWritesSortKeys,
  copyCheckpoint,
  getCheckpointId,
  maxChannelVersion,
  writesSortKey,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type PendingWrite,
  type SerializerProtocol,
} from '@langchain/langgraph-checkpoint';
import { base64Of } from './book/contents.js';
import type { Hornbook, Room } from './full/hornbook.js';

/** What LangGraph passes to each call; only `configurable` is used. */
type Config = Parameters<BaseCheckpointSaver['getTuple']>[0];

/** The serializer's output: JSON as text, anything else in Base64. */
type Packed = { type: string; text: string } | { type: string; base64: string };

/** A checkpoint as stored in the book, without the values of its channels. */
interface Kept {
  checkpoint: Packed;
  metadata: Packed;
  parent?: string;
}

/** A write of a task as stored in the book. */
interface KeptWrite {
  task: string;
  index: number;
  path: string;
  channel: string;
  value: Packed;
}

/** The identity of a checkpoint. */
interface Place {
  thread: string;
  namespace: string;
  id: string;
}

/**
 * A string. Typed `any` because LangGraph's `compile` only accepts savers with numeric versions, although strings work.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
type Version = any;

/** A checkpointer for `compile({ checkpointer })` whose threads are in a book, under its history and its backups. */
/*
 * Keys of the room: `checkpoint/THREAD/NAMESPACE/ID`, `value/THREAD/NAMESPACE/CHANNEL/VERSION`,
 * `write/THREAD/NAMESPACE/ID/TASK/INDEX`, and `latest/THREAD/NAMESPACE` for the id of the last checkpoint. Ids sort by
 * time. A value is stored once per version of its channel, so unchanged channels cost a checkpoint nothing.
 */
export class BookSaver extends BaseCheckpointSaver<Version> {
  readonly #room: Room;

  /**
   * @param book from `openHornbook` or `createHornbook`, opened with the tools of workflows
   * @param serde how values become text; that of LangGraph unless given
   */
  constructor(book: Hornbook, serde?: SerializerProtocol) {
    super(serde);
    if (!('room' in book))
      throw new Error("This book was opened without workflows: open it with tools: ['prolog', 'workflow'].");
    this.#room = book.room('langgraph');
  }

  /** A checkpoint of a thread: the one that is asked for, or the last. */
  async getTuple(config: Config): Promise<CheckpointTuple | undefined> {
    const { thread, namespace } = placed(config);
    if (thread === undefined) return undefined;
    const asked = getCheckpointId(config);
    const id = asked || this.#room.get(`latest/${within(thread, namespace)}`);
    if (!id) return undefined;
    const place = { thread, namespace, id };
    const text = this.#room.get(`checkpoint/${keyOf(place)}`);
    return text === undefined ? undefined : this.#tuple(place, JSON.parse(text), asked ? config : configOf(place));
  }

  /** The checkpoints of a thread, newest first, or of all threads. */
  async *list(config: Config, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { thread, namespace, id } = placed(config);
    const only = config.configurable?.checkpoint_ns === undefined ? undefined : namespace;
    const before: string | undefined = options.before?.configurable?.checkpoint_id;
    const filters = Object.entries(options.filter ?? {});
    let left = options.limit ?? Infinity;
    const prefix = thread === undefined ? 'checkpoint/' : `checkpoint/${encodeURIComponent(thread)}/`;
    const found = this.#room
      .from(prefix)
      .map(([key, text]) => ({ place: placeOf(key), text }))
      .filter(({ place }) => only === undefined || place.namespace === only)
      .filter(({ place }) => (!id || place.id === id) && (!before || place.id < before))
      .sort((a, b) => (a.place.id < b.place.id ? 1 : -1));
    for (const { place, text } of found) {
      if (left <= 0) return;
      const kept: Kept = JSON.parse(text);
      const metadata = (await this.#unpacked(kept.metadata)) as Record<string, unknown>;
      if (!filters.every(([key, value]) => metadata[key] === value)) continue;
      left -= 1;
      yield this.#tuple(place, kept, configOf(place));
    }
  }

  /** Store a checkpoint of a thread; resolves once it is on disk. */
  async put(
    config: Config,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<Config> {
    const { thread, namespace, id: parent } = placed(config);
    const place = { thread: threadOf(thread, 'checkpoint'), namespace, id: checkpoint.id };
    const kept: Kept = {
      checkpoint: await this.#packed({ ...copyCheckpoint(checkpoint), channel_values: {} }),
      metadata: await this.#packed(metadata),
    };
    if (parent !== undefined) kept.parent = parent;
    const latest = `latest/${within(place.thread, namespace)}`;
    const texts: [string, string][] = [[`checkpoint/${keyOf(place)}`, JSON.stringify(kept)]];
    if ((this.#room.get(latest) ?? '') < place.id) texts.push([latest, place.id]);
    for (const [channel, version] of Object.entries(newVersions)) {
      if (!Object.hasOwn(checkpoint.channel_values, channel)) continue;
      const value = await this.#packed(checkpoint.channel_values[channel]);
      texts.push([valueKey(place, channel, version), JSON.stringify(value)]);
    }
    await this.#room.edit(`checkpoint of ${place.thread}`, texts);
    return configOf(place);
  }

  async putWrites(config: Config, writes: PendingWrite[], taskId: string, taskPath = ''): Promise<void> {
    const { thread, namespace, id } = placed(config);
    const place = { thread: threadOf(thread, 'writes'), namespace, id: id ?? '' };
    if (!id) throw new Error('Failed to put writes: `configurable` has no `checkpoint_id`.');
    const texts: [string, string][] = [];
    for (const [position, [channel, value]] of writes.entries()) {
      const index = WRITES_IDX_MAP[channel] ?? position;
      const key = `write/${keyOf(place)}/${encodeURIComponent(taskId)}/${index}`;
      // A task that runs again repeats its writes; only errors, interrupts and the like are replaced.
      if (index >= 0 && this.#room.get(key) !== undefined) continue;
      const kept: KeptWrite = { task: taskId, index, path: taskPath, channel, value: await this.#packed(value) };
      texts.push([key, JSON.stringify(kept)]);
    }
    await this.#room.edit(`writes of ${place.thread}`, texts);
  }

  /** Versions are unique, so that forks of a thread share only the values they have in common. */
  override getNextVersion(current: string | number | undefined): Version {
    const number = current === undefined ? 0 : Number.parseInt(String(current), 10);
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    return `${String(number + 1).padStart(16, '0')}.${random.toString(16).padStart(8, '0')}`;
  }

  async deleteThread(threadId: string): Promise<void> {
    const thread = encodeURIComponent(threadId);
    const keys = ['checkpoint', 'value', 'write', 'latest'].flatMap((kind) => this.#room.from(`${kind}/${thread}/`));
    await this.#room.edit(
      `${threadId} is deleted`,
      keys.map(([key]) => [key, null]),
    );
  }

  async #tuple(place: Place, kept: Kept, config: Config): Promise<CheckpointTuple> {
    const checkpoint = (await this.#unpacked(kept.checkpoint)) as Checkpoint;
    for (const [channel, version] of Object.entries(checkpoint.channel_versions)) {
      const text = this.#room.get(valueKey(place, channel, version));
      if (text !== undefined) checkpoint.channel_values[channel] = await this.#unpacked(JSON.parse(text));
    }
    const metadata = (await this.#unpacked(kept.metadata)) as CheckpointMetadata;
    const pendingWrites = await this.#writes(place);
    const tuple: CheckpointTuple = { config, checkpoint, metadata, pendingWrites };
    if (kept.parent !== undefined) {
      const parent = { ...place, id: kept.parent };
      tuple.parentConfig = configOf(parent);
      if (checkpoint.v < 4) await this.#withSends(checkpoint, parent);
    }
    return tuple;
  }

  /** In the order in which a run applies them. */
  async #writes(place: Place): Promise<CheckpointPendingWrite[]> {
    const kept = this.#room.from(`write/${keyOf(place)}/`).map(([, text]) => JSON.parse(text) as KeptWrite);
    const keyed = kept.map((write) => ({ write, key: writesSortKey(write.path, write.task, write.index) }));
    keyed.sort((a, b) => compareWritesSortKeys(a.key, b.key));
    return Promise.all(
      keyed.map(
        async ({ write }) => [write.task, write.channel, await this.#unpacked(write.value)] as CheckpointPendingWrite,
      ),
    );
  }

  /** Before version 4 of the format, sends were stored among the writes of the parent. */
  async #withSends(checkpoint: Checkpoint, parent: Place): Promise<void> {
    const sent = (await this.#writes(parent)).filter(([, channel]) => channel === TASKS).map(([, , value]) => value);
    checkpoint.channel_values ??= {};
    checkpoint.channel_values[TASKS] = sent;
    checkpoint.channel_versions ??= {};
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  async #packed(value: unknown): Promise<Packed> {
    const [type, bytes] = await this.serde.dumpsTyped(value);
    return type === 'json' ? { type, text: new TextDecoder().decode(bytes) } : { type, base64: base64Of(bytes) };
  }

  #unpacked(packed: Packed): Promise<unknown> {
    const bytes =
      'text' in packed ? packed.text : Uint8Array.from(atob(packed.base64), (character) => character.charCodeAt(0));
    return this.serde.loadsTyped(packed.type, bytes);
  }
}

function placed({ configurable = {} }: Config): { thread?: string; namespace: string; id?: string } {
  return {
    thread: configurable.thread_id,
    namespace: configurable.checkpoint_ns ?? '',
    id: configurable.checkpoint_id,
  };
}

function threadOf(thread: string | undefined, what: string): string {
  if (thread !== undefined) return thread;
  throw new Error(`Failed to put ${what}: give a \`thread_id\`, as { configurable: { thread_id: 'my-thread' } }.`);
}

const within = (thread: string, namespace: string) => `${encodeURIComponent(thread)}/${encodeURIComponent(namespace)}`;

const keyOf = ({ thread, namespace, id }: Place) => `${within(thread, namespace)}/${encodeURIComponent(id)}`;

const valueKey = ({ thread, namespace }: Place, channel: string, version: string | number) =>
  `value/${within(thread, namespace)}/${encodeURIComponent(channel)}/${version}`;

function placeOf(key: string): Place {
  const [, thread = '', namespace = '', id = ''] = key.split('/').map(decodeURIComponent);
  return { thread, namespace, id };
}

const configOf = ({ thread, namespace, id }: Place): Config => ({
  configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id },
});
