/** Text: atoms, strings, characters, reading and writing, grammars, JSON. */
export const text = String.raw`
atom_string(?Atom, ?String) is det|The same text as atom and as string.
atom_to_term(+Atom, -Term, -Bindings) is det|Term is read from Atom; Bindings are Name=Var.
atom_prefix(+Atom, +Prefix) is semidet|Atom begins with Prefix.
atomics_to_string(+List, -String) is det|The texts of a list together, as a string.
atomics_to_string(+List, +Separator, -String) is det|The texts of a list with Separator between them, as a string.
atomic_concat(+A, +B, -Atom) is det|A followed by B.
concat(+A, +B, -Atom) is det|A followed by B.
concat_atom(+List, -Atom) is det|As atomic_list_concat/2.
concat_atom(?List, +Separator, ?Atom) is det|As atomic_list_concat/3.
text_to_string(+Text, -String) is det|Text is an atom, a string, or a list of codes or characters.
string_to_list(?String, ?Codes) is det|As string_codes/2.
string_bytes(?String, ?Bytes, +Encoding) is det|The bytes of a string, as utf8 has them.
get_string_code(+Index, +String, -Code) is semidet|The character code at Index, from 1.
name(?Atomic, ?Codes) is det|Codes are the text of Atomic, which is a number where it can be.
number_chars(?Number, ?Chars) is det|Chars are the text of Number.
downcase_atom(+Text, -Lower) is det|Text in small letters.
normalize_space(+Output, +Text) is det|Text with one space for any white space, and none at its ends; Output is atom(A) or string(S).
sub_atom_icasechk(+Atom, ?Start, +Sub) is semidet|Sub is in Atom, whatever the case.
char_type(?Char, ?Type) is nondet|A class of a character, as alpha, digit(Weight) or to_lower(L).
code_type(?Code, ?Type) is nondet|As char_type/2, of a character code.
collation_key(+Atom, -Key) is det|Key sorts as the locale wants Atom.
locale_sort(+List, -Sorted) is det|Atoms sorted as the locale wants it.
wildcard_match(+Pattern, +Text) is semidet|Text is as Pattern says, with * ? [a-z] and {a,b}.
wildcard_match(+Pattern, +Text, +Options) is semidet|As wildcard_match/2; case_sensitive(false).
upper_lower(?Upper, ?Lower) is semidet|A capital letter and the small one.
to_lower(+Upper, -Lower) is det|The small letter of a character code.
to_upper(+Lower, -Upper) is det|The capital letter of a character code.
is_alnum(+Char) is semidet|A letter or a digit.
is_alpha(+Char) is semidet|A letter or an underscore.
is_ascii(+Char) is semidet|A character of ASCII.
is_cntrl(+Char) is semidet|A control character.
is_csym(+Char) is semidet|A letter, a digit or an underscore.
is_csymf(+Char) is semidet|A letter or an underscore.
is_digit(+Char) is semidet|A digit.
is_digit(?Char, ?Base, ?Weight) is nondet|A digit in a base, and its weight.
is_graph(+Char) is semidet|A character that can be seen.
is_lower(+Char) is semidet|A small letter.
is_upper(+Char) is semidet|A capital letter.
is_newline(+Char) is semidet|The line feed.
is_newpage(+Char) is semidet|The form feed.
is_endline(+Char) is semidet|A character that ends a line.
is_endfile(+Code) is semidet|The code -1, at the end.
is_paren(?Open, ?Close) is nondet|A bracket and the one that closes it.
is_period(+Char) is semidet|A character that ends a sentence.
is_print(+Char) is semidet|A character that can be printed.
is_punct(+Char) is semidet|A character that can be seen and is no letter or digit.
is_quote(+Char) is semidet|A quotation mark.
is_space(+Char) is semidet|White space.
is_white(+Char) is semidet|A space or a tab.
indent_lines(+Prefix, +String, -Indented) is det|Prefix in front of each line.
indent_lines(:Filter, +Prefix, +String, -Indented) is det|Prefix in front of the lines for which Filter holds.
dedent_lines(+String, -Dedented, +Options) is det|Takes away the white space that all lines begin with.
string_lines(?String, ?Lines) is det|The lines of a string.
write(+Stream, +Term) is det|Writes Term to a stream without quotes.
writeln(+Stream, +Term) is det|Writes Term and a line break to a stream.
writeq(+Stream, +Term) is det|Writes Term to a stream so that it can be read back.
print(+Stream, +Term) is det|Writes Term to a stream as print/1 does.
write_canonical(+Stream, +Term) is det|Writes Term to a stream with quotes and without operators.
write_term(+Term, +Options) is det|Writes Term with options as quoted(true) or max_depth(10).
write_term(+Stream, +Term, +Options) is det|As write_term/2, to a stream.
write_ln(+Term) is det|As writeln/1.
writef(+Text) is det|Writes Text; \n and \l are line breaks.
writef(+Format, +Args) is det|Writes Format with the next argument for each %w and %d.
swritef(-String, +Format) is det|As writef/1, to a string.
swritef(-String, +Format, +Args) is det|As writef/2, to a string.
display(+Term) is det|Writes Term without operators.
display(+Stream, +Term) is det|As display/1, to a stream.
displayq(+Term) is det|As display/1, with quotes.
displayq(+Stream, +Term) is det|As displayq/1, to a stream.
portray_text(+OnOff) is det|Whether lists of codes are written as text.
portray_clause(+Clause) is det|Writes a clause as listing/1 does.
portray_clause(+Stream, +Clause) is det|As portray_clause/1, to a stream.
format(+Format) is det|As format/2 without arguments.
sformat(-String, +Format) is det|As format/1, to a string.
sformat(-String, +Format, :Args) is det|As format/2, to a string.
ansi_format(+Attributes, +Format, :Args) is det|As format/2; attributes as bold mean nothing here.
with_output_to(+Output, :Goal) is semidet|Calls Goal once; what it writes is Output, as string(S), atom(A) or codes(Cs).
nl(+Stream) is det|Writes a line break to a stream.
tab(+Stream, +N) is det|Writes N spaces to a stream.
put_char(+Char) is det|Writes a character.
put_char(+Stream, +Char) is det|Writes a character to a stream.
put_code(+Stream, +Code) is det|Writes the character of a code to a stream.
put(+Code) is det|Writes a character, given as itself or by its code.
put_code(+Code) is det|Writes the character of a code.
flush() is det|Nothing here: output is told with the answer.
flush_output() is det|Nothing here: output is told with the answer.
flush_output(+Stream) is det|Nothing here: output is told with the answer.
ttyflush() is det|Nothing here: output is told with the answer.
prompt(-Old, +New) is det|The prompt of reading, which nobody sees here.
prompt1(+Prompt) is det|The prompt of the next reading, which nobody sees here.
current_input(-Stream) is det|The stream that is read from.
current_output(-Stream) is det|The stream that is written to.
set_input(+Stream) is det|From now on, reads without a stream read from Stream.
open_string(+String, -Stream) is det|A stream that reads String.
open_null_stream(-Stream) is det|A stream that forgets what is written to it, and counts the characters.
set_stream(+Stream, +Property) is det|alias(Name) is another name for one's own stream; what is about terminals, buffers and times changes nothing.
open(+File, +Mode, -Stream) is det|A stream that reads a file of the book, or under a root; Mode is read.
open(+File, +Mode, -Stream, +Options) is det|As open/3, with alias(Name), eof_action(A), type(binary).
see(+File) is det|Opens a file, from which reads without a stream read from now on.
seeing(-Stream) is det|The stream that is read from.
seen() is det|Closes what see/1 opened.
exists_file(+File) is semidet|The book or a root has the file.
access_file(+File, +Mode) is semidet|The file can be read, for read and exist; nothing can be written.
directory_files(+Directory, -Names) is det|The names of the book's files in a directory.
working_directory(-Old, +New) is det|The directory that names of files begin from, which is ./ and stays so.
consult(+File) is det|The book has the clauses of the file; a query adds none.
read_file_to_string(+File, -String, +Options) is det|The text of a file.
read_file_to_codes(+File, -Codes, +Options) is det|The text of a file as codes.
read_file_to_terms(+File, -Terms, +Options) is det|The terms of a file.
phrase_from_file(:Body, +File) is nondet|Body derives the codes of a file.
phrase_from_file(:Body, +File, +Options) is nondet|As phrase_from_file/2.
phrase_from_stream(:Body, +Stream) is nondet|Body derives what is left of a stream, as codes.
stream_to_lazy_list(+Stream, -List) is det|The codes of a stream, read as they are needed.
lazy_list(:Next, -List) is det|A list that call(Next, Part, Tail) lengthens where it is needed.
lazy_list(:Next, +State, -List) is det|A list whose elements call(Next, State0, State, Element) makes where they are needed.
lazy_list_materialize(?List) is det|Makes the whole of a lazy list.
lazy_list_length(+List, -Length) is det|The length of a lazy list, which is made for it.
midstring(?Whole, ?Middle, ?Rest) is nondet|Middle is within Whole, and Rest is Whole without it, as in Quintus Prolog.
midstring(?Whole, ?Middle, ?Rest, ?Before) is nondet|As midstring/3, after Before characters.
midstring(?Whole, ?Middle, ?Rest, ?Before, ?Length) is nondet|As midstring/4, and Middle has Length characters.
midstring(?Whole, ?Middle, ?Rest, ?Before, ?Length, ?After) is nondet|As midstring/5, before After characters.
lazy_list_location(-Location, +Codes, -Codes) is det|As a grammar body: the place in the file.
lazy_list_character_count(-Count, +Codes, -Codes) is det|As a grammar body: how many characters came before.
syntax_error(+What, +Codes, -Codes) is failure|As a grammar body: throws a syntax error with the place in the file.
csv_read_file(+File, -Rows) is det|The rows of a CSV file, row(A, B, ...).
csv_read_file(+File, -Rows, +Options) is det|As csv_read_file/2, with functor(F), separator(Code), convert(Bool).
csv_read_file_row(+File, -Row, +Options) is nondet|A row of a CSV file; line(N) is its number.
close(+Stream) is det|Closes a stream.
close(+Stream, +Options) is det|Closes a stream.
read(-Term) is det|Reads a term from the input.
read(+Stream, -Term) is det|Reads a term from a stream; end_of_file at its end.
read_term(-Term, +Options) is det|Reads a term with options as variable_names(Names).
read_term(+Stream, -Term, +Options) is det|As read_term/2, from a stream.
read_term_from_atom(+Atom, -Term, +Options) is det|Reads a term from an atom.
term_string(?String, ?Term, +Options) is det|As term_string/2, with options of reading.
get_char(-Char) is det|Reads a character; end_of_file at the end.
get_char(+Stream, -Char) is det|Reads a character from a stream.
get0(-Code) is det|As get_code/1.
get(-Code) is det|Reads the next character code that is not layout; -1 at the end.
skip(+Code) is det|Reads up to and including the next Code, a character or its code.
peek_char(-Char) is det|The next character, which stays.
peek_char(+Stream, -Char) is det|The next character of a stream, which stays.
get_code(-Code) is det|Reads a character code; -1 at the end.
get_code(+Stream, -Code) is det|Reads a character code from a stream.
peek_code(-Code) is det|The next character code, which stays.
peek_code(+Stream, -Code) is det|The next character code of a stream, which stays.
get_byte(-Byte) is det|Reads a byte of a binary stream; -1 at the end.
get_byte(+Stream, -Byte) is det|Reads a byte of a stream opened with type(binary).
peek_byte(-Byte) is det|The next byte, which stays.
peek_byte(+Stream, -Byte) is det|The next byte of a stream, which stays.
get_single_char(-Code) is det|Reads a key; -1 here.
at_end_of_stream() is semidet|There is nothing more to read.
at_end_of_stream(+Stream) is semidet|There is nothing more to read from a stream.
read_string(+Stream, ?Length, -String) is det|Reads so many characters, or all.
read_string(+Stream, +Separators, +Pad, -Separator, -String) is det|Reads to the next separator.
read_line_to_string(+Stream, -String) is det|Reads a line; end_of_file at the end.
read_line_to_codes(+Stream, -Codes) is det|Reads a line as codes; end_of_file at the end.
read_line_to_codes(+Stream, -Codes, ?Tail) is det|Reads a line with its newline as codes before Tail.
read_stream_to_codes(+Stream, -Codes) is det|Reads all there is as codes.
read_stream_to_codes(+Stream, -Codes, ?Tail) is det|Reads all there is as codes before Tail.
peek_string(+Stream, +Length, -String) is det|At least the next Length characters, which stay.
line_count(+Stream, -Count) is det|The line of a stream, from 1.
line_position(+Stream, -Count) is det|The column of a stream, from 0.
character_count(+Stream, -Count) is det|How many characters of a stream were read.
byte_count(+Stream, -Count) is det|How many bytes of a stream were read.
stream_property(?Stream, ?Property) is nondet|A stream of the query has a property: file_name(F), position(P), end_of_stream(E), alias(A).
set_stream_position(+Stream, +Position) is det|Reads go on at a position that stream_property/2 gave.
stream_position_data(?Field, +Position, -Value) is nondet|Value is the char_count, line_count, line_position or byte_count of a position.
seek(+Stream, +Offset, +Method, -Location) is det|Reads go on at Offset in bytes, from bof, current or eof; Location is the place from the beginning.
copy_stream_data(+In, +Out) is det|Writes what is left of In to Out.
copy_stream_data(+In, +Out, +Length) is det|Writes the next Length characters of In to Out.
atom_json_term(?Atom, ?Term, +Options) is det|JSON text and json([name=value]).
atom_json_dict(+Text, -Dict, +Options) is det|JSON text as dicts.
json_read(+Stream, -Term) is det|Reads JSON as json([name=value]).
json_read(+Stream, -Term, +Options) is det|As json_read/2, with options.
json_read_dict(+Stream, -Dict) is det|Reads JSON as dicts.
json_read_dict(+Stream, -Dict, +Options) is det|As json_read_dict/2, with options.
json_write(+Stream, +Term) is det|Writes json([name=value]) as JSON.
json_write(+Stream, +Term, +Options) is det|As json_write/2, with options.
json_write_dict(+Stream, +Dict) is det|Writes a dict as JSON.
json_write_dict(+Stream, +Dict, +Options) is det|As json_write_dict/2, with options.
is_json_term(@Term) is semidet|Term can be written as JSON.
is_json_term(@Term, +Options) is semidet|As is_json_term/1, with options.
file_base_name(+Path, -Name) is det|The last part of a path; no file is looked at.
file_directory_name(+Path, -Directory) is det|A path without its last part; no file is looked at.
file_name_extension(?Base, ?Extension, ?Name) is det|Name is Base.Extension; no file is looked at.
with_output_to_chars(:Goal, -Codes) is semidet|What Goal writes, as codes.
read_from_chars(+Codes, -Term) is det|A term read from codes.
read_term_from_chars(+Codes, -Term, +Options) is det|As read_from_chars/2, with options.
write_to_chars(+Term, -Codes) is det|The text of Term as codes.
write_to_chars(+Term, -Codes, ?Tail) is det|As write_to_chars/2, with a tail.
atom_to_chars(+Atom, -Codes) is det|The text of Atom as codes.
atom_to_chars(+Atom, -Codes, ?Tail) is det|As atom_to_chars/2, with a tail.
number_to_chars(+Number, -Codes) is det|The text of Number as codes.
number_to_chars(+Number, -Codes, ?Tail) is det|As number_to_chars/2, with a tail.
alpha_to_lower(?Letter)// is semidet|A letter, told as a small one.
atom(++Atomic)// is det|The text of Atomic; to write.
blank()// is semidet|One character of white space.
blanks()// is det|White space, as much as there is.
blanks_to_nl()// is det|White space up to the end of the line.
white()// is semidet|A space or a tab.
whites()// is det|Spaces and tabs, as many as there are.
nonblank(?Code)// is semidet|A character that is no white space.
nonblanks(?Codes)// is det|Characters up to the next white space.
digit(?Code)// is semidet|A digit.
digits(?Codes)// is det|Digits, as many as there are.
integer(?Integer)// is semidet|An integer.
float(?Float)// is semidet|A float.
number(?Number)// is semidet|A number.
xdigit(?Weight)// is semidet|A hexadecimal digit.
xdigits(?Weights)// is det|Hexadecimal digits.
xinteger(?Integer)// is semidet|A hexadecimal integer.
csym(?Code)// is semidet|A character of an identifier.
prolog_var_name(?Name)// is semidet|The name of a variable.
string(?Codes)// is nondet|As few characters as what follows wants.
string_without(+End, -Codes)// is det|Characters up to one of End.
remainder(?Codes)// is det|All that is left.
eol()// is semidet|The end of a line, or of all.
eos()// is semidet|The end of all.
sequence(:Element, ?List)// is nondet|Elements one after the other.
sequence(:Element, :Separator, ?List)// is nondet|Elements with separators between them.
sequence(:Start, :Element, :Separator, :End, ?List)// is nondet|Elements with separators, between a start and an end.
optional(:Match, :Default)// is det|Match, or Default where it is not there.
foreach(:Generator, :Element)// is det|Element for each solution of Generator.
foreach(:Generator, :Element, :Separator)// is det|As foreach//2, with separators.
csv(?Rows)// is det|CSV as a list of terms row(…).
csv(?Rows, +Options)// is det|As csv//1, with options of csv_options/2.
csv_options(-Compiled, +Options) is det|Options of CSV, checked.
utf8_codes(?Codes)// is det|The codes of UTF-8 bytes.
base32(+Plain, -Encoded) is det|Text in Base32, and back.
base32(?Codes)// is det|Base32 as a grammar.
base64(?Plain, ?Encoded) is det|Text in Base64, and back.
base64(?Codes)// is det|Base64 as a grammar.
base64url(?Plain, ?Encoded) is det|Text in Base64 for URLs, and back.
base64url(?Codes)// is det|Base64 for URLs as a grammar.
base64_encoded(?Plain, ?Encoded, +Options) is det|As base64/2, with options.
base64_encoded(?Codes, +Options)// is det|As base64//1, with options.
re_match(+Regex, +String) is semidet|A regular expression of PCRE matches somewhere.
re_match(+Regex, +String, +Options) is semidet|As re_match/2, with options.
re_matchsub(+Regex, +String, -Match) is semidet|The first match, as a dict: 0 is the whole.
re_matchsub(+Regex, +String, -Match, +Options) is semidet|As re_matchsub/3, with options.
re_foldl(:Goal, +Regex, +String, ?V0, ?V, +Options) is semidet|Folds over all matches, each a dict.
re_split(+Regex, +String, -Parts) is det|What is between the matches, and the matches, in turn.
re_split(+Regex, +String, -Parts, +Options) is det|As re_split/3, with options.
re_replace(+Regex, +With, +String, -New) is det|The first match replaced; Regex/g replaces all.
re_replace(+Regex, +With, +String, -New, +Options) is det|As re_replace/4, with options.
re_compile(+Regex, -Compiled, +Options) is det|A regular expression, made ready.
porter_stem(+Word, -Stem) is det|The stem of an English word.
snowball(+Language, +Word, -Stem) is det|The stem of a word in a language.
unaccent_atom(+Text, -Ascii) is det|Text without accents.
tokenize_atom(+Text, -Tokens) is det|Words, numbers and punctuation of a text.
atom_to_stem_list(+Text, -Stems) is det|The stems of the words of a text.
double_metaphone(+Word, -Key) is det|A key for how an English word sounds.
double_metaphone(+Word, -Key, -Other) is det|As double_metaphone/2, with the other way to say it.
isub(+A, +B, -Similarity, +Options) is det|How alike two texts are, from 0 to 1.
sha_hash(+Data, -Bytes, +Options) is det|A SHA hash as bytes.
hmac_sha(+Key, +Data, -Bytes, +Options) is det|A keyed SHA hash as bytes.
hash_atom(+Bytes, -Hex) is det|Bytes as hexadecimal digits.
md5_hash(+Data, -Hex, +Options) is det|An MD5 hash.
uri_components(?URI, ?Components) is det|URI and uri_components(Scheme, Authority, Path, Search, Fragment).
uri_data(?Part, +Components, ?Value) is nondet|A part of the components, as path.
uri_data(+Part, +Components, +Value, -New) is semidet|Replaces a part of the components.
uri_authority_components(?Authority, ?Components) is det|User, password, host and port of an authority.
uri_authority_data(?Part, ?Components, ?Value) is nondet|A part of an authority, as host.
uri_query_components(?Query, ?Pairs) is det|The text of a query and a list Name=Value.
uri_encoded(+Part, ?Value, ?Encoded) is det|Text as it stands in a part of a URI.
uri_is_global(+URI) is semidet|The URI has a scheme.
uri_normalized(+URI, -Normalized) is det|A URI in its usual form.
uri_normalized(+URI, +Base, -Normalized) is det|As uri_normalized/2, from a base.
uri_resolve(+URI, +Base, -Absolute) is det|A URI seen from another.
uri_iri(?URI, ?IRI) is det|A URI and the same with all characters.
uri_normalized_iri(+URI, -IRI) is det|As uri_normalized/2, with all characters.
uri_normalized_iri(+URI, +Base, -IRI) is det|As uri_normalized_iri/2, from a base.
iri_normalized(+IRI, -Normalized) is det|An IRI in its usual form.
iri_normalized(+IRI, +Base, -Normalized) is det|As iri_normalized/2, from a base.
uri_edit(+Actions, +URI, -New) is det|Replaces parts of a URI, as path(P) or search([a=b]).
`;
