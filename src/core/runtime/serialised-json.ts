/** An object that is kept as JSON: whoever only passes it on need not parse it. */
export class SerialisedJson {
  readonly json: string;
  /** Its members are not read: it stands where an object is wanted. */
  readonly [member: string]: unknown;

  constructor(json: string) {
    this.json = json;
  }

  /** Parses it, also where it is a part of what is serialised. */
  toJSON(): unknown {
    return JSON.parse(this.json);
  }
}
