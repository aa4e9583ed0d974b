"""One hand, written by hand in the form of each site.

Ann has the button (chair 2), Bob the small blind (chair 4), Cid the big blind (chair 5). Blinds
0.50/1. Ann raises to 3, Cid calls. Flop: Cid checks and raises Ann's 4 to 12, Ann calls. The turn
is checked. Cid bets 20 on the river and Ann folds. The pot is 30.50 and the rake 1.50.
"""

STARS = """\
PokerStars Zoom Hand #900001:  Hold'em No Limit ($0.50/$1.00 USD) - 2015/03/04 20:15:10 ET
Table 'Thames' 6-max Seat #2 is the button
Seat 2: Ann ($100 in chips)
Seat 4: Bob ($50.50 in chips)
Seat 5: Cid ($80 in chips)
Bob: posts small blind $0.50
Cid: posts big blind $1
*** HOLE CARDS ***
Dealt to Cid [7c 7h]
Ann: raises $2 to $3
Bob: folds
Cid: calls $2
*** FLOP *** [2c 7d Kh]
Cid: checks
Ann: bets $4
Cid: raises $8 to $12
Ann: calls $8
*** TURN *** [2c 7d Kh] [9s]
Cid: checks
Ann: checks
*** RIVER *** [2c 7d Kh 9s] [3d]
Cid: bets $20
Ann: folds
Uncalled bet ($20) returned to Cid
Cid collected $29 from pot
Cid: doesn't show hand
*** SUMMARY ***
Total pot $30.50 | Rake $1.50
Board [2c 7d Kh 9s 3d]
Seat 2: Ann (button) folded on the River
Seat 4: Bob (small blind) folded before Flop
Seat 5: Cid (big blind) collected ($29)
"""

GG = (
    STARS.replace("PokerStars Zoom Hand #900001: ", "Poker Hand #RC900001:")
    .replace(" USD) - 2015/03/04 20:15:10 ET", ") - 2021/03/04 20:15:10")
    .replace("*** SHOW DOWN ***", "*** SHOWDOWN ***")
    .replace("Dealt to Cid [7c 7h]", "Dealt to Ann\nDealt to Bob\nDealt to Cid [7c 7h]")
    .replace("Rake $1.50", "Rake $1 | Jackpot $0.5 | Bingo $0 | Fortune $0 | Tax $0")
)

WINAMAX = """\
Winamax Poker - CashGame - HandId: #77-12-1425496510 - \
Holdem no limit (0.50€/1€) - 2015/03/04 19:15:10 UTC
Table: 'Thames' 6-max (real money) Seat #2 is the button
Seat 2: Ann (100€)
Seat 4: Bob (50.50€)
Seat 5: Cid (80€)
*** ANTE/BLINDS ***
Bob posts small blind 0.50€
Cid posts big blind 1€
Dealt to Cid [7c 7h]
*** PRE-FLOP ***
Ann raises 2€ to 3€
Bob folds
Cid calls 2€
*** FLOP *** [2c 7d Kh]
Cid checks
Ann bets 4€
Cid raises 8€ to 12€
Ann calls 8€
*** TURN *** [2c 7d Kh][9s]
Cid checks
Ann checks
*** RIVER *** [2c 7d Kh 9s][3d]
Cid bets 20€
Ann folds
Cid collected 29€ from pot
*** SUMMARY ***
Total pot 29€ | Rake 1.50€
Board: [2c 7d Kh 9s 3d]
Seat 5: Cid (big blind) won 29€
"""

PACIFIC = """\
#Game No : 900001
***** 888poker Hand History for Game 900001 *****
0,50 $/1 $ Blinds No Limit Holdem - *** 04 03 2015 20:15:10
Table Thames 6 Max (Real Money)
Seat 2 is the button
Total number of players : 3
Seat 2: Ann ( 100 $ )
Seat 4: Bob ( 50,50 $ )
Seat 5: Cid ( 80 $ )
Bob posts small blind [0,50 $]
Cid posts big blind [1 $]
** Dealing down cards **
Dealt to Cid [ 7Kreuz, 7Herz ]
Ann raises [3 $]
Bob folds
Cid calls [2 $]
** Dealing flop ** [ 2c, 7d, Kh ]
Cid checks
Ann bets [4 $]
Cid raises [12 $]
Ann calls [8 $]
** Dealing turn ** [ 9s ]
Cid checks
Ann checks
** Dealing river ** [ 3d ]
Cid bets [20 $]
Ann folds
** Summary **
Cid did not show his hand
Cid collected [ 29 $ ]
"""

PARTY = """\
Game #900001 starts.

#Game No : 900001
***** Hand History for Game 900001 *****
$0.50/$1 USD NL Texas Hold'em - Wednesday, March 04, 20:15:10 EST 2015
Table Thames (Real Money)
Seat 2 is the button
Total number of players : 3/6
Seat 5: Cid ( $80 USD )
Seat 2: Ann ( $100 USD )
Seat 4: Bob ( $50.50 USD )
Bob posts small blind [$0.50 USD].
Cid posts big blind [$1 USD].
** Dealing down cards **
Dealt to Cid [  7c 7h ]
Ann raises [$3 USD]
Bob folds
Cid calls [$2 USD]
** Dealing Flop ** [ 2c, 7d, Kh ]
Cid checks
Ann bets [$4 USD]
Cid raises [$12 USD]
Ann calls [$8 USD]
** Dealing Turn ** [ 9s ]
Cid checks
Ann checks
** Dealing River ** [ 3d ]
Cid bets [$20 USD]
Ann folds
Cid does not show cards.
Cid wins $49 USD
"""

WINNING = """\
Hand #900001 - Holdem(No Limit) - $0.50/$1.00 - 2019/03/04 20:15:10 UTC
Thames 6-max Seat #2 is the button
Seat 2: Ann ($100.00)
Seat 4: Bob ($50.50)
Seat 5: Cid ($80.00)
Bob posts the small blind $0.50
Cid posts the big blind $1.00
*** HOLE CARDS ***
Dealt to Cid [7c 7h]
Ann raises $3.00 to $3.00
Bob folds
Cid calls $2.00
*** FLOP *** [2c 7d Kh]
Main pot $6.50 | Rake $0.30
Cid checks
Ann bets $4.00
Cid raises $12.00 to $12.00
Ann calls $8.00
*** TURN *** [2c 7d Kh] [9s]
Cid checks
Ann checks
*** RIVER *** [2c 7d Kh 9s] [3d]
Cid bets $20.00
Ann folds
Uncalled bet ($20.00) returned to Cid
Cid does not show
Cid collected $29.00 from main pot
*** SUMMARY ***
Total pot $29.00 | Rake $1.25 | JP Fee $0.25
Board [2c 7d Kh 9s 3d]
"""

WINNING_OLD = """\
Game started at: 2016/3/4 20:15:10
Game ID: 900001 0.50/1 Thames (Hold'em)
Seat 2 is the button
Seat 2: Ann (100).
Seat 4: Bob (50.50).
Seat 5: Cid (80).
Player Bob has small blind (0.50)
Player Cid has big blind (1)
Player Bob received a card.
Player Cid received card: [7c]
Player Cid received card: [7h]
Player Ann raises (3)
Player Bob folds
Player Cid calls (2)
*** FLOP ***: [2c 7d Kh]
Player Cid checks
Player Ann bets (4)
Player Cid raises (12)
Player Ann calls (8)
*** TURN ***: [2c 7d Kh] [9s]
Player Cid checks
Player Ann checks
*** RIVER ***: [2c 7d Kh 9s] [3d]
Player Cid bets (20)
Player Ann folds
Uncalled bet (20) returned to Cid
Player Cid mucks cards
------ Summary ------
Pot: 29. Rake 1.25. JP fee 0.25
Board: [2c 7d Kh 9s 3d]
Player Ann does not show cards.Bets: 15. Collects: 0. Loses: 15.
Player Bob does not show cards.Bets: 0.50. Collects: 0. Loses: 0.50.
*Player Cid mucks (does not show cards). Bets: 15. Collects: 29. Wins: 14.
Game ended at: 2016/3/4 20:16:10
"""

BOVADA = """\
Ignition Hand #900001 TBL#5 HOLDEM No Limit - 2016-03-04 20:15:10
Seat 2: Dealer ($100 in chips)
Seat 4: Small Blind ($50.50 in chips)
Seat 5: Big Blind [ME] ($80 in chips)
Dealer : Set dealer/Bring in spot [2]
Small Blind : Ante/Small Blind $0.50
Big Blind  [ME] : Big blind/Bring in $1
*** HOLE CARDS ***
Dealer : Card dealt to a spot [Ah Qh]
Small Blind : Card dealt to a spot [4d 9d]
Big Blind  [ME] : Card dealt to a spot [7c 7h]
Dealer : Raises $3 to $3
Small Blind : Folds
Big Blind  [ME] : Calls $2
*** FLOP *** [2c 7d Kh]
Big Blind  [ME] : Checks
Dealer : Bets $4
Big Blind  [ME] : Raises $12 to $12
Dealer : Calls $8
*** TURN *** [2c 7d Kh] [9s]
Big Blind  [ME] : Checks
Big Blind  [ME] : Checks
Dealer : Checks
*** RIVER *** [2c 7d Kh 9s] [3d]
Big Blind  [ME] : Bets $20
Dealer : Folds
Big Blind  [ME] : Return uncalled portion of bet $20
Big Blind  [ME] : Does not show [7c 7h] (Three of a kind)
Big Blind  [ME] : Hand result $29
*** SUMMARY ***
Total Pot($30.50)
"""

FULLTILT = """\
Full Tilt Poker Game #900001: Table Thames (6 max) - $0.50/$1 - No Limit Hold'em - \
20:15:10 ET - 2010/03/04
Seat 2: Ann ($100)
Seat 3: Dan ($20), is sitting out
Seat 4: Bob ($50.50)
Seat 5: Cid ($80)
Bob posts the small blind of $0.50
Cid posts the big blind of $1
The button is in seat #2
*** HOLE CARDS ***
Dealt to Cid [7c 7h]
Ann raises to $3
Bob folds
Cid calls $2
*** FLOP *** [2c 7d Kh] (Total Pot: $6.50, 2 Players)
Cid checks
Ann bets $4
Cid raises to $12
Ann has 15 seconds left to act
Ann calls $8
*** TURN *** [2c 7d Kh] [9s] (Total Pot: $30.50, 2 Players)
Cid checks
Ann checks
*** RIVER *** [2c 7d Kh 9s] [3d] (Total Pot: $30.50, 2 Players)
Cid bets $20
Ann folds
Uncalled bet of $20 returned to Cid
Cid mucks
Cid wins the pot ($29)
*** SUMMARY ***
Total pot $30.50 | Rake $1.50
Board: [2c 7d Kh 9s 3d]
Seat 2: Ann (button) folded on the River
Seat 3: Dan is sitting out
"""

ONGAME = """\
***** History for hand R5-900001-7 *****
Start hand: Wed Mar 4 20:15:10 GMT+0100 2015
Table: Thames [900001] (NO_LIMIT TEXAS_HOLDEM $0.50/$1, Real money)
User: Cid
Button: seat 2
Players in round: 3
Seat 2: Ann ($100)
Seat 4: Bob ($50.50)
Seat 5: Cid ($80)
Bob posts small blind ($0.50)
Cid posts big blind ($1)
---
Dealing pocket cards
Dealing to Cid: [7c, 7h]
Ann raises $3 to $3
Bob folds
Cid calls $2
--- Dealing flop [2c, 7d, Kh]
Cid checks
Ann bets $4
Cid raises $12 to $12
Ann calls $8
--- Dealing turn [9s]
Cid checks
Ann checks
--- Dealing river [3d]
Cid bets $20
Ann folds
---
Summary:
Main pot: $30.50 won by Cid ($29)
Rake taken: $1.50
Seat 2: Ann ($85), net: -$15
Seat 4: Bob ($50), net: -$0.50
Seat 5: Cid ($94), net: +$14, [7c, 7h] (THREE_OF_KIND)
***** End of hand R5-900001-7 *****
"""

TRACKER = """\
GAME #900001 Version:19.1 Uncalled:Y Texas Hold'em NL $0.50/$1 2019-03-04 20:15:10/GMT
Table Thames
Seat 2: Ann ($100.00 in chips) DEALER
Seat 4: Bob ($50.50 in chips)
Seat 5: Cid ($80.00 in chips)
Bob: Post SB $0.50
Cid: Post BB $1.00
*** HOLE CARDS ***
Dealt to Cid [C7 H7]
Ann: Raise (NF) $3.00
Bob: Fold
Cid: Call $2.00
*** FLOP *** [C2 D7 HK]
Cid: Check
Ann: Bet $4.00
Cid: Raise (NF) $12.00
Ann: Call $8.00
*** TURN *** [S9]
Cid: Check
Ann: Check
*** RIVER *** [D3]
Cid: Bet $20.00
Ann: Fold
*** SUMMARY ***
Total pot $30.50 Rake $1.50
Cid: wins $29.00
Cid: wins $20.00 (uncalled)
"""

MICROGAMING = """\
** Game ID 900001 starting - 2012-03-04 20:15:10
** Thames [Hold'em] (0.50|1.00 NL - $ Cash Game) Real Money
- Ann sitting in seat 2 with $100.00 at end $85.00 [Dealer]
- Dan sitting in seat 3 with $10.00 [Sitting out]
- Bob sitting in seat 4 with $50.50 at end $50.00
- Cid sitting in seat 5 with $80.00 at end $94.00

Bob posted the small blind - $0.50
Cid posted the big blind - $1.00
** Dealing card to Cid: 7 of c, 7 of h
Ann raised - $3.00
Bob folded
Cid called - $2.00
** Dealing the flop: 2 of c, 7 of d, K of h
Cid checked
Ann bet - $4.00
Cid raised - $12.00
Ann called - $8.00
** Dealing the turn: 9 of s
Cid checked
Ann checked
** Dealing the river: 3 of d
Cid bet - $20.00
Ann folded
Cid mucks:
Cid wins $29.00 from the main pot

End of game 900001
"""

IPOKER = """\
<?xml version="1.0" encoding="utf-8"?>
<session sessioncode="1">
 <general>
  <gametype>Holdem NL $0.50/$1</gametype><tablename>Thames, 5</tablename>
  <currency>USD</currency><nickname>Cid</nickname>
 </general>
 <game gamecode="900001">
  <general>
   <startdate>2015-03-04 20:15:10</startdate>
   <players>
    <player seat="2" name="Ann" chips="$100" dealer="1" win="$0" bet="$15"/>
    <player seat="4" name="Bob" chips="$50.50" dealer="0" win="$0" bet="$0.50"/>
    <player seat="5" name="Cid" chips="$80" dealer="0" win="$29" bet="$15"/>
   </players>
  </general>
  <round no="0"><action no="1" player="Bob" type="1" sum="$0.50" cards=""/>
   <action no="2" player="Cid" type="2" sum="$1" cards=""/></round>
  <round no="1"><cards type="Pocket" player="Ann">X X</cards>
   <cards type="Pocket" player="Cid">C7 H7</cards>
   <action no="3" player="Ann" type="23" sum="$3" cards=""/>
   <action no="5" player="Cid" type="3" sum="$2" cards=""/>
   <action no="4" player="Bob" type="0" sum="$0" cards=""/></round>
  <round no="2"><cards type="Flop" player="">C2 D7 HK</cards>
   <action no="6" player="Cid" type="4" sum="$0" cards=""/>
   <action no="7" player="Ann" type="5" sum="$4" cards=""/>
   <action no="8" player="Cid" type="23" sum="$12" cards=""/>
   <action no="9" player="Ann" type="3" sum="$8" cards=""/></round>
  <round no="3"><cards type="Turn" player="">S9</cards>
   <action no="10" player="Cid" type="4" sum="$0" cards=""/>
   <action no="11" player="Ann" type="4" sum="$0" cards=""/></round>
  <round no="4"><cards type="River" player="">D3</cards>
   <action no="12" player="Cid" type="5" sum="$20" cards=""/>
   <action no="13" player="Ann" type="0" sum="$0" cards=""/></round>
 </game>
</session>
"""

MERGE = """\
<description type="Holdem" stakes="No Limit ($0.50/$1)"/>
<game id="900001-7" starttime="20150304201510" data="20150304|Thames (5)|5|900001-7|false">
 <players dealer="1">
  <player seat="1" nickname="Ann" balance="$100.00" dealtin="true" />
  <player seat="3" nickname="Bob" balance="$50.50" dealtin="true" />
  <player seat="4" nickname="Cid" balance="$80.00" dealtin="true" />
 </players>
 <round id="BLINDS" sequence="1">
  <event sequence="1" type="SMALL_BLIND" player="3" amount="0.50"/>
  <event sequence="2" type="BIG_BLIND" player="4" amount="1.00"/>
 </round>
 <round id="PREFLOP" sequence="2">
  <event sequence="3" type="RAISE" player="1" amount="3.00"/>
  <event sequence="4" type="FOLD" player="3"/>
  <event sequence="5" type="CALL" player="4" amount="2.00"/>
  <cards type="HOLE" cards="7c,7h" player="4"/>
 </round>
 <round id="POSTFLOP" sequence="3">
  <event sequence="6" type="CHECK" player="4"/>
  <event sequence="7" type="BET" player="1" amount="4.00"/>
  <event sequence="8" type="RAISE" player="4" amount="12.00"/>
  <event sequence="9" type="CALL" player="1" amount="8.00"/>
  <cards type="COMMUNITY" cards="2c,7d,Kh"/>
 </round>
 <round id="POSTTURN" sequence="4">
  <event sequence="10" type="CHECK" player="4"/>
  <event sequence="11" type="CHECK" player="1"/>
  <cards type="COMMUNITY" cards="2c,7d,Kh,9s"/>
 </round>
 <round id="POSTRIVER" sequence="5">
  <event sequence="12" type="BET" player="4" amount="20.00"/>
  <event sequence="13" type="FOLD" player="1"/>
  <cards type="COMMUNITY" cards="2c,7d,Kh,9s,3d"/>
 </round>
 <round id="END_OF_FOLDED_GAME" sequence="6">
  <event sequence="14" type="MUCK" player="4"/>
  <winner amount="49.00" uncalled="false" potnumber="1" player="4" pottype="n"/>
 </round>
</game>
"""

#: The hand by the name of the format.
HANDS = {
    "pokerstars": STARS,
    "gg": GG,
    "winamax": WINAMAX,
    "888": PACIFIC,
    "partypoker": PARTY,
    "winning": WINNING,
    "winning-old": WINNING_OLD,
    "bovada": BOVADA,
    "fulltilt": FULLTILT,
    "ongame": ONGAME,
    "tracker": TRACKER,
    "microgaming": MICROGAMING,
    "ipoker": IPOKER,
    "merge": MERGE,
}
