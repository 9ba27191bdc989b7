/** A server-sent event. `event` is its name, `message` if the server gave none. */
export interface StreamEvent<Name extends string, Data> {
  event: Name;
  data: Data;
  id: string | undefined;
}

/** The fields of each block of a stream. A block that is cut off is dropped. */
export async function* blocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Map<string, string>> {
  const decoder = new TextDecoder();
  let rest = "";
  let fields = new Map<string, string>();
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const ended of lines) {
      const line = ended.replace(/\r$/, "");
      if (line === "") {
        yield fields;
        fields = new Map();
        continue;
      }
      const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      const before = name === "data" ? fields.get(name) : undefined;
      fields.set(name, before === undefined ? value : `${before}\n${value}`);
    }
  }
}

/** The chunks of a body; fails if none comes for some milliseconds. Cancels the body when iteration ends. */
export async function* chunks(body: ReadableStream<Uint8Array>, silence: number): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new TypeError("the stream is silent")), silence);
      });
      const { done, value } = await Promise.race([reader.read(), late]).finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
