// Made by api_types.py from the server's own description.
declare namespace Api {
  interface About {
    version: string;
    api: number;
  }
  interface Asked {
    question: Question;
    again: boolean;
  }
  interface Asking {
    strategy?: string;
  }
  interface Bot {
    name: string;
    line: string;
    source: string;
    settings: Record<string, string>;
    needs_file: boolean;
  }
  interface CardRow {
    card: string;
    frequencies: Record<string, number>;
    values: [number, number];
    equities: [number, number];
  }
  interface CardsAsked {
    line: string;
    cards?: string;
  }
  interface Cell {
    mean: number;
    low: number | null;
    high: number | null;
  }
  interface Chair {
    name: string;
    face: string;
    stack: number;
    bet: number;
    total: number;
    net: number;
    cards: string[];
    button: boolean;
    live: boolean;
    acting: boolean;
    said: string;
  }
  interface Charts {
    name: string;
    depth_bb: number;
    threshold: number;
    shown: string;
    charts: Record<string, unknown>[];
  }
  interface Choice {
    street: string;
    line: string;
    board: string;
    hole: string;
    did: string;
    by: string;
    actions: Record<string, number>;
    values: Record<string, number>;
    loss: number | null;
    error: number;
    reason: string;
    pot: number;
    to_call: number;
    best: string;
    tree_line: string;
  }
  interface CrossTable {
    bots: string[];
    cells: ((Cell | null)[])[];
  }
  interface DeckFound {
    name: string;
    kind: "blueprint" | "library" | "solution";
    game: string;
    spots: number;
    shown: string;
  }
  interface Deleted {
    answers: number;
  }
  interface DrillAnswer {
    line: string;
    board: string;
    hole: string;
    did: string;
    strategy?: string;
    source?: string;
  }
  interface DrillAsked {
    street?: string;
    position?: string;
    pot_type?: string;
    close?: number | null;
    strategy?: string;
  }
  interface DrillProgress {
    progress: Record<string, unknown>[];
  }
  interface EquityAsked {
    players: string[];
    board?: string;
    dead?: string;
    seed?: number;
  }
  interface EquityFound {
    players: Share[];
    method: string;
  }
  interface Example {
    name: string;
    words: string;
    address: string;
    colours: string[];
    cells: number[][];
  }
  interface Forecasted {
    bytes: number;
    available: number;
    seconds: number;
    decisions: number;
    fits: boolean;
  }
  interface Frame {
    number: number;
    chair: number;
    said: string;
    street: string;
    board: string[];
    pot: number;
    bets: number[];
    stacks: number[];
    live: boolean[];
  }
  interface Game {
    name: string;
    players: number;
    stack: number;
    big_blind: number;
    betting: string;
    streets: string[];
    board_sizes: number[];
  }
  interface Graded {
    grade: Record<string, unknown>;
    rating: string;
    loss_bb: number | null;
    error_bb: number;
    due: string;
  }
  interface HandRow {
    number: number;
    hole: string;
    board: string;
    line: string;
    won: number;
    expected: number;
    adjusted: number | null;
  }
  interface Home {
    due: number;
    answers: number;
    sessions: number;
    sample: boolean;
    last: SessionRow;
    held: number;
    graph: [number, number, number, number][];
  }
  interface Invitation {
    host: string;
    path: string;
    local: boolean;
  }
  interface Legal {
    fold: boolean;
    check: boolean;
    call: number | null;
    least: number | null;
    most: number | null;
    stand: boolean;
    discards: string[];
  }
  interface LuckFacts {
    hands: number;
    held: number;
    unscored: number;
    slow: boolean;
    job: LuckState | null;
  }
  interface LuckState {
    doing: string;
    done: number;
    total: number;
    seconds_left: number | null;
    id: string;
    state: "failed" | "finished" | "running" | "stopped" | "waiting";
    problem: string;
    curve: number[][];
  }
  interface MatchState {
    id: string;
    state: "failed" | "finished" | "running" | "stopped" | "waiting";
    asked: NewMatch;
    done: number;
    deals: number;
    result: Record<string, unknown> | null;
    problem: string;
    seconds_left: number | null;
    unit: string;
    curve: number[][];
  }
  interface MenuAsked {
    text?: string;
    streets?: StreetSizes[];
    rules?: MenuRules | null;
  }
  interface MenuFound {
    text: string;
    streets: StreetSizes[];
    rules: MenuRules;
  }
  interface MenuRules {
    add: number;
    near: number;
    force: number;
    force_called: number;
  }
  interface Move {
    version: number;
    move?: string;
  }
  interface NewLuck {
  }
  interface NewMatch {
    bots: string[];
    game?: string;
    hands?: number;
    seed?: number;
  }
  interface NewReview {
    text: string;
    name?: string;
    strategy?: string;
    player?: string;
    solve?: boolean;
    against?: string;
  }
  interface NewSolve {
    spot: Spot;
    name?: string;
    target?: number;
    seconds?: number;
    bits?: 16 | 32;
    locks?: string[];
  }
  interface NewTable {
    game?: string;
    seats?: number;
    people?: number;
    opponents?: string;
    seed?: number | null;
    carry?: boolean;
    seconds?: number;
    bank?: number;
  }
  interface Node {
    strategy: string;
    kind: "blueprint" | "solution";
    game: string;
    line: string;
    board: string;
    next_cards: number;
    player: number;
    players: [string, string];
    street: string;
    pot: number;
    to_call: number;
    unit: number;
    actions: StepAction[];
    path: Step[];
    holes: number[][];
    reach: number[][];
    equity: number[][];
    values: ((number | null)[])[];
    action_values: ((number | null)[])[];
    averages: Record<string, number>[];
    note: string;
  }
  interface NodeAsked {
    strategy?: string;
    line?: string;
    board?: string;
    played?: boolean;
    palette?: "colour-blind" | "usual";
  }
  interface Note {
    chair: number | null;
    words: string;
    street: string;
  }
  interface Opponent {
    name: string;
    face: string;
    level: number;
    kind: string;
    line: string;
    bot: string;
    heads_up: boolean;
  }
  interface Player {
    name: string;
    face: string;
    stack: number;
    bet: number;
    cards: string[];
    button: boolean;
    net: number;
  }
  interface Preset {
    name: string;
    to: number;
  }
  interface Problem {
    error: string;
  }
  interface Progress {
    iteration: number;
    seconds: number;
    share: number;
  }
  interface Question {
    source: string;
    line: string;
    board: string;
    hole: string;
    street: string;
    position: string;
    pot_type: string;
    pot: number;
    to_call: number;
    big_blind: number;
    options: string[];
  }
  interface RangeAsked {
    text?: string;
    weights?: number[] | null;
  }
  interface RangeFound {
    text: string;
    weights: number[];
    combos: number;
  }
  interface Repeated {
    questions: number;
    decisions: number;
  }
  interface Replayed {
    id: string;
    number: number;
    hands: number;
    game: string;
    unit: number;
    you: number;
    players: Player[];
    board: string[];
    frames: Frame[];
    winners: Winner[];
    line: string;
  }
  interface Results {
    hands: number;
    chips: number;
    won: [number, number | null];
    adjusted: [number, number | null] | null;
    unit: string;
  }
  interface ReviewState {
    doing: string;
    done: number;
    total: number;
    seconds_left: number | null;
    player: string;
    hands: number;
    graded: number;
    multiway: number;
    refused: number;
    left_out: number;
    totals: Record<string, unknown>[];
    results: Record<string, unknown>;
    decisions: Record<string, unknown>[];
    apart: Record<string, unknown>[];
    curve: number[][];
    id: string;
    name: string;
    strategy: string;
    state: string;
    error: string;
  }
  interface SessionFound {
    id: string;
    game: string;
    opponents: string[];
    began: string;
    hands: number;
    unit: number;
    won: number;
    expected: number;
    adjusted: number;
    held: number;
    live: boolean;
    rows: HandRow[];
  }
  interface SessionRow {
    id: string;
    game: string;
    opponents: string[];
    began: string;
    hands: number;
    unit: number;
    won: number;
    expected: number;
    adjusted: number;
    held: number;
    live: boolean;
  }
  interface Share {
    win: number;
    tie: number;
    equity: number;
    error: number;
  }
  interface SolveState {
    id: string;
    name: string;
    state: "failed" | "finished" | "running" | "stopped" | "waiting";
    before: number;
    asked: NewSolve;
    progress: Progress[];
    values: [number, number] | null;
    problem: string;
  }
  interface Spot {
    board: string;
    pot: number;
    stack: number | number[];
    oop: string | number[];
    ip: string | number[];
    menu?: string;
    rake_percent?: number;
    rake_cap?: number;
    betting?: "fixed-limit" | "no-limit" | "pot-limit";
    deck?: "full" | "short";
    big_blind?: number;
    bet_sizes?: number[];
    added?: string[];
    removed?: string[];
  }
  interface StateAsked {
    hole: string;
    line?: string;
    board?: string;
    game?: string;
    bot?: string;
  }
  interface Step {
    line: string;
    board: string;
    player: number;
    actions: StepAction[];
    chosen: string;
  }
  interface StepAction {
    action: string;
    letter: string;
    words: string;
    colour: string;
    frequency: number | null;
    leads: "cards" | "decision" | "end";
  }
  interface Strategy {
    name: string;
    kind: "blueprint" | "solution";
    game: string;
    menu: string;
    about: string;
  }
  interface StrategyFound {
    actions: Record<string, number>;
    pot: number;
    to_call: number;
    seconds: number;
  }
  interface StreetSizes {
    oop: string;
    ip: string;
    donk: string;
    cap: number | null;
    cap_each: number | null;
  }
  interface Strength {
    strength: number;
    words: string;
  }
  interface StrengthAsked {
    cards: string;
    short_deck?: boolean;
  }
  interface TableState {
    id: string;
    session: string;
    version: number;
    game: string;
    phase: "new" | "over" | "thinking" | "yours";
    hand: number;
    street: string;
    line: string;
    board: string[];
    pot: number;
    to_call: number;
    odds: number | null;
    unit: number;
    you: number;
    chairs: Chair[];
    legal: Legal | null;
    presets: Preset[];
    holding: string;
    notes: Note[];
    frames: Frame[];
    winners: Winner[];
    results: Results | null;
    seconds_left: number | null;
    wait: string;
    invite: string;
    problem: string;
  }
  interface Watched {
    kind: string;
    name: string;
    place: string;
    state: string;
    seen: number;
    facts: Record<string, unknown>;
    curve: ([number, number, number | null, number | null])[];
    measure: string;
    table: CrossTable | null;
    problem: string;
    share: number | null;
    job: string;
  }
  interface Winner {
    chair: number;
    chips: number;
    words: string;
  }
}
