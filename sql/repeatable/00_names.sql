-- Names that look alike.
--
-- Letters of other scripts that look like a Latin letter or a digit are taken from Unicode's
-- confusables (UTS 39). They are written as code points, because in print nobody could distinguish
-- them. A test compares them with the tables of a library.

-- Removes invisible characters: format characters, and those that Unicode says to ignore if they
-- cannot be displayed.
create or replace function public.without_hidden_characters(p_text text) returns text
language sql immutable strict parallel safe
as $$
    select regexp_replace(
        p_text,
        '[\u00AD\u034F\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u115F\u1160\u17B4\u17B5\u180B-\u180F'
        || '\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB'
        || '\U000110BD\U000110CD\U00013430-\U0001343F\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A'
        || '\U000E0000-\U000E0FFF]',
        '', 'g'
    )
$$;

-- Replaces every letter that looks like a Latin letter by that letter, in lower case; i and 1
-- become l, 0 becomes o.
create or replace function public.fold_lookalikes(p_text text) returns text
language sql immutable strict parallel safe
as $$
    select translate(
        lower(translate(
            p_text,
            U&'\01A7\03E8\10C7\14BF\1616\1CB7\A644\A6EF\A75A\+01CCF2'
            || U&'\01B7\021C\0417\04E0\0545\0969\0AE9\1702\1C95\2C9C\2CC4\2CCC\A76A\A7AB\+0118CA'
            || U&'\+016F3B\+01CCF3\+01D206'
            || U&'\13CE\AB9E\+0118AF\+016E82\+01CCF4'
            || U&'\01BC\+0118BB\+01CCF5'
            || U&'\03EC\0431\13EE\2CD2\2CD3\2CDC\A543\ABBE\+0118D5\+01CCF6'
            || U&'\172A\1C84\+0104D2\+0118C6\+016E8A\+01CCF7\+01D1FE\+01D212'
            || U&'\0222\0223\09EA\0A6A\0B03\A589\+01031A\+011445\+0169FE\+01CCF8\+01E8CB'
            || U&'\09ED\0A67\0B68\0D6D\2CCA\2CCB\A76E\A76F\+0118AC\+0118CC\+0118D6\+0169C1\+01CCF9'
            || U&'\+01E2F2'
            || U&'\0251\0391\03B1\0410\0430\13AA\15C5\237A\A4EE\AB64\+0102A0\+016F40\+01CCD6\+01DF5A'
            || U&'\+01DF6A'
            || U&'\0184\0392\0412\042C\07D5\13CF\13F4\1472\15AF\15F7\2C82\A4D0\A557\A7B4\+010282'
            || U&'\+0102A1\+010301\+01031C\+016EB6\+01CCD7\+01D207'
            || U&'\0421\0441\1004\105A\13DF\1C83\1D04\2CA4\2CA5\A4DA\ABAF\+0102A2\+010302\+010415'
            || U&'\+01043D\+01051B\+0118E9\+0118F2\+01CCD8\+01D134\+01F74C'
            || U&'\0501\13A0\13E7\146F\15DE\15EA\A4D2\A4D3\+01018B\+01CCD9'
            || U&'\0395\0415\0435\04BD\13AC\212E\22FF\2D39\A4F0\A5CB\AB32\+010286\+0118A6\+0118AE'
            || U&'\+01CCDA\+01DF81'
            || U&'\0192\0284\03DC\0584\07D3\15B4\1E9D\A4DD\A798\A799\AB35\+01017E\+010287\+0102A5'
            || U&'\+010525\+0118A2\+0118C2\+01CCDB\+01D213'
            || U&'\018D\0261\050C\0581\13C0\13F3\1D83\A4D6\+01CCDC'
            || U&'\0397\041D\04BA\04BB\0570\10B9\13BB\13C2\157C\2C8E\A4E7\+0102CF\+01CCDD'
            || U&'\0237\037F\03F3\0408\0458\0575\13AB\148D\A4D9\A7B2\+01CCDF'
            || U&'\039A\041A\13E6\16D5\2C94\A4D7\+010518\+01CCE0'
            || U&'\00A1\0131\0196\01C0\0269\026A\0399\03B9\0406\0456\04C0\04CF\0582\05C0\05D5\05DF'
            || U&'\0627\0661\06F1\07CA\0964\104A\13A5\13DE\14AA\16C1\16D0\21BF\2223\2373\23FD\2502'
            || U&'\2503\2C92\2C93\2CD0\2D4A\2D4F\A4E1\A4F2\A56F\A647\A781\A7AE\A7FE\A830\A8CE\AA5D'
            || U&'\AB75\+01028A\+010309\+010320\+01041B\+01050E\+010526\+010926\+010C3E\+010CA5'
            || U&'\+010CFA\+011047\+0110C0\+011141\+0111C5\+0113D4\+01144B\+0115C5\+011641\+0118A3'
            || U&'\+0118B2\+0118C3\+011C41\+011DDA\+011DE1\+016D63\+016EAA\+016F16\+016F28\+01CCDE'
            || U&'\+01CCE1\+01CCF1\+01D100\+01D22A\+01D377\+01E141\+01E8C7\+01ED01'
            || U&'\039C\03FA\041C\13B7\15F0\16D6\2C98\A4DF\+0102B0\+010311\+010C21\+01CCE2'
            || U&'\039D\0578\057C\2C9A\A4E0\+010513\+011ABE\+01CCE3'
            || U&'\039F\03BF\03C3\03ED\041E\043E\0555\0585\05E1\0647\0665\06BE\06C1\06D5\06F5\07C0'
            || U&'\07CB\0840\0966\09E6\0A66\0AE6\0B20\0B66\0BE6\0C02\0C66\0C82\0CE6\0D02\0D20\0D66'
            || U&'\0D82\0E50\0ED0\101D\1040\10FF\110B\11BC\12D0\17E0\1A45\1A80\1A90\1BEA\1C82\1CBF'
            || U&'\1D0F\1D11\2C9E\2C9F\2D54\3007\A4F3\AB3D\+010292\+0102AB\+01030F\+010404\+01042C'
            || U&'\+0104C2\+0104EA\+010516\+01092C\+010C17\+010D07\+011124\+011302\+0114D0\+0118B5'
            || U&'\+0118C8\+0118D7\+0118E0\+011DE0\+016AE9\+01CCE4\+01CCF0\+01E140\+01E2F0'
            || U&'\00FE\01BF\03A1\03C1\03F8\0420\0440\13E2\146D\2374\2CA2\2CA3\2CCE\2CCF\A4D1\+010295'
            || U&'\+01CCE5'
            || U&'\051A\051B\0563\0566\2D55\+01CCE6'
            || U&'\01A6\024C\0433\13A1\13D2\1587\1D26\2C85\A4E3\AB47\AB48\AB81\+0104B4\+016A19\+016F35'
            || U&'\+01CCE7\+01D216'
            || U&'\01BD\0405\0455\054F\0D1F\10BD\10FD\13D5\13DA\1CBD\A4E2\A576\A731\ABAA\+010296'
            || U&'\+010420\+010448\+0118C1\+016AD6\+016F3A\+01CCE8'
            || U&'\03A4\0422\07E0\13A2\22A4\27D9\2CA6\3112\4E05\A4D4\A50B\+010297\+0102B1\+010315'
            || U&'\+0118BC\+016F0A\+01CCE9\+01D373\+01F768'
            || U&'\028B\03C5\054D\057D\1200\144C\1D1C\222A\22C3\A4F4\A79F\AB4E\AB52\+0104CE\+0104F6'
            || U&'\+0118B8\+0118D8\+016F42\+01CCEA'
            || U&'\03BD\0474\0475\05D8\0667\06F7\13D9\142F\1D20\2228\22C1\2D38\A4E6\A6DF\ABA9\+01051D'
            || U&'\+010C1F\+011706\+0118A0\+0118C0\+016F08\+01CCEB\+01CEFC\+01D20D\+01E145'
            || U&'\026F\0448\0461\051C\051D\0561\13B3\13D4\1D21\29E2\2CBD\A4EA\A7FA\AB83\ABA4\+01170A'
            || U&'\+01170E\+01170F\+0118E6\+0118EF\+01CCEC\+01D20C\+01DF7D'
            || U&'\00D7\03A7\0425\0445\1541\157D\166D\166E\16B7\1763\1BEC\1CF5\2573\292B\292C\2A2F'
            || U&'\2CAC\2D5D\A4EB\A7B3\+010290\+0102B4\+010317\+010322\+010527\+010C13\+010C82\+010CC2'
            || U&'\+010CFC\+0118EC\+01CCED'
            || U&'\0263\028F\03A5\03B3\0423\0443\04AE\04AF\07CC\10E7\13A9\13BD\1D8C\1EFF\2CA8\2CA9'
            || U&'\311A\4E2B\A4EC\AB5A\+0102B2\+010C20\+0118A4\+0118C4\+0118DC\+016F43\+01CCEE'
            || U&'\0396\10CD\13C3\1D22\2C6B\2C6C\2C8C\2C8D\2D2D\A4DC\A6C9\AB93\+0102F5\+010507\+0118A9'
            || U&'\+0118E5\+011ABC\+01CCEF',
            repeat('2', 10) || repeat('3', 18) || repeat('4', 5) || repeat('5', 3) || repeat('6', 10)
            || repeat('7', 8) || repeat('8', 11) || repeat('9', 14) || repeat('a', 15) || repeat('b', 21)
            || repeat('c', 21) || repeat('d', 10) || repeat('e', 16) || repeat('f', 19) || repeat('g', 9)
            || repeat('h', 13) || repeat('j', 11) || repeat('k', 8) || repeat('l', 86) || repeat('m', 12)
            || repeat('n', 8) || repeat('o', 80) || repeat('p', 17) || repeat('q', 6) || repeat('r', 17)
            || repeat('s', 21) || repeat('t', 19) || repeat('u', 19) || repeat('v', 25) || repeat('w', 23)
            || repeat('x', 31) || repeat('y', 27) || repeat('z', 18)
        )),
        'i10', 'llo'
    )
$$;

-- A key that is equal for names that people confuse: letters and digits only, without accents.
create or replace function public.name_key(p_name text) returns text
language sql immutable strict parallel safe
as $$
    select replace(replace(
        public.fold_lookalikes(regexp_replace(
            normalize(p_name, NFKD),
            '[\s!-/:-@\[-`{-~\u00A0-\u00BF\u0300-\u036F\u2000-\u206F\u3000-\u3020\u00AD\uFE00-\uFE0F]', '', 'g'
        )),
        'rn', 'm'
    ), 'vv', 'w')
$$;

revoke execute on function
    public.without_hidden_characters(text), public.fold_lookalikes(text), public.name_key(text)
from public;
